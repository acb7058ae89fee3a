"""Examples that run: small data written for accord, and systems to evaluate on them."""
