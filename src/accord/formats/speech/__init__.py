"""Transcriptions and recordings: tiers, speakers, subtitles."""
