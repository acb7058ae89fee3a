"""Label Studio: tasks as JSON or CSV, and what stands in their regions."""
