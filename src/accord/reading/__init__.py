"""What a file means: who, what, which values are missing, in which order; every decision kept.

Formats say what a file says; here it is decided what that means, and the data are made of it. May be
imported from measures upwards; imports formats, files and data.
"""

from accord.reading.read import read, read_many

__all__ = ["read", "read_many"]
