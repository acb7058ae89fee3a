"""Adjudication: cards to settle, in the order it is worth it, and how far the settling is."""

from accord.adjudication.campaign import Campaign
from accord.adjudication.deck import Deck

__all__ = ["Campaign", "Deck"]
