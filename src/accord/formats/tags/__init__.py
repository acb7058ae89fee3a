"""Token rows with span tags."""
