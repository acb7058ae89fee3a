"""Bytes and walls: archives, pipes, safe parsers and whole writes; knows nothing of annotations."""
