"""The records of Label Studio: tasks, their annotations, and the results of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.files import safe_json
from accord.formats.records import Name, Struct

#: result types whose value is a judgement on the whole task
JUDGED = ("choices", "rating", "number", "taxonomy", "pairwise")


class Person(Struct):
    email: Name | None = None
    username: Name | None = None
    id: Name | None = None


class Result(Struct):
    """A region, an answer or a relation; what its value holds follows from the control tag."""

    id: Any = ""
    type: Any = ""
    from_name: Any = ""
    value: Any = None
    labels: Any = None
    direction: Any = None
    from_id: Any = ""
    to_id: Any = ""
    meta: Any = None
    original_width: Any = None
    original_height: Any = None

    @property
    def is_labelled(self) -> bool:
        """A region that has labels, and a name under which more can be said of it."""
        keys = self.value if isinstance(self.value, dict) else ()
        return str(self.id) != "" and any(key.endswith("labels") for key in keys)


class Annotation(Struct):
    """Of a person, or of a system (a prediction)."""

    completed_by: Person | str | int | float | None = None
    model_version: Name | None = None
    was_cancelled: Any = None
    ground_truth: Any = None
    result: list[Result] | None = None

    @property
    def author(self) -> str:
        return _author(self.completed_by)


class Task(Struct):
    data: dict[str, Any] | None = None
    meta: Any = None
    annotations: list[Annotation] | None = None
    completions: list[Annotation] | None = None
    predictions: list[Annotation] | None = None

    @property
    def given(self) -> list[Annotation]:
        return (self.completions if self.annotations is None else self.annotations) or []

    @property
    def told(self) -> dict[str, Any] | None:
        """What a reference said of the task when it was put back into Label Studio."""
        told = self.meta.get("reference") if isinstance(self.meta, dict) else None
        return told if isinstance(told, dict) and "task_id" in self.meta else None


def _author(who: Person | str | float | None) -> str:
    if isinstance(who, Person):
        return who.email or who.username or who.id or ""
    return "" if who is None else str(who)


def name_of(task: Mapping[str, Any], place: int, path: str) -> str:
    """What a task is called: by the id it had before a reference was put back into Label Studio."""
    held = task.get("meta")
    if isinstance(held, dict) and isinstance(held.get("reference"), dict) and "task_id" in held:
        return safe_json.word(held["task_id"], "the task_id in the meta data of a task", path)
    return safe_json.word(task.get("id", place), "the id of a task", path)
