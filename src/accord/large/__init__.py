"""Tables that memory does not hold: counted by engines, or read by ranges."""
