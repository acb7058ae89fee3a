"""Time slots of ELAN that have no time of their own lie evenly between those that have."""

import accord

SLOTS = (("t0", "1000"), ("t1", None), ("t2", None), ("t3", "4000"), ("t4", "6000"), ("t5", None))


def test_slots_without_a_time_are_interpolated(tmp_path):
    slots = "".join(
        f'<TIME_SLOT TIME_SLOT_ID="{name}"' + (f' TIME_VALUE="{time}"/>' if time else "/>")
        for name, time in SLOTS
    )
    marks = "".join(
        f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{k}" TIME_SLOT_REF1="{start}" '
        f'TIME_SLOT_REF2="{end}"><ANNOTATION_VALUE>{k}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>'
        "</ANNOTATION>"
        for k, (start, end) in enumerate([("t0", "t1"), ("t1", "t2"), ("t2", "t3"), ("t4", "t5")])
    )
    tiers = f'<TIER TIER_ID="Ann" LINGUISTIC_TYPE_REF="l">{marks}</TIER>'
    (tmp_path / "r.eaf").write_text(
        '<?xml version="1.0"?><ANNOTATION_DOCUMENT><HEADER/>'
        f"<TIME_ORDER>{slots}</TIME_ORDER>{tiers}</ANNOTATION_DOCUMENT>"
    )
    data = accord.read(tmp_path / "r.eaf")
    # a third of the way, two thirds
    assert {u.label: (u.start, u.end) for u in data} == {
        "0": (1000, 2000), "1": (2000, 3000), "2": (3000, 4000)
    }  # fmt: skip
    # after the last time nothing is known: what ends there has no length, which is said
    assert "of length zero" in str(data.reading)
