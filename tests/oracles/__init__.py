"""Definitions written out, and campaigns and exports made up, that several tests share."""
