"""What to trust, what to change, which measure to use."""
