"""The sections of the report, by what they show."""
