"""Pages that enrol something are run in a process of their own (tests/house/test_house.py)."""

collect_ignore = ["extend/measure.md", "conf.py", "reference_examples.py", "reference_pages.py"]
