"""The meeting sheet and the annotators' pages, as the server shows them."""

from __future__ import annotations

from accord.adjudication.campaign import Campaign
from accord.errors import InputError
from accord.report.discussion import annotator_page, meeting


def discussion(campaign: Campaign, annotator: str | None) -> str:
    """The page of the meeting, or of one annotator; who is who stays hidden when blind."""
    if annotator is None:
        return meeting(campaign, linked=True)
    if campaign.blind:
        raise InputError("annotators are hidden")
    return annotator_page(campaign, annotator, linked=True)
