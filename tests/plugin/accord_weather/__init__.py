"""A small package that extends accord: a measure, a format and an audit rule."""
