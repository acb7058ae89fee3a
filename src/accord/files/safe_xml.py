"""XML that cannot bite: no entity declarations, no external entities, no bottomless nesting.

The standard library's expat does the parsing with handlers of ours. `defusedxml` was considered: it
adds the same refusals, but through a slower pure-Python builder, and it reports neither the line of
an element nor a sentence for people. expat itself bounds entity amplification; we refuse the
declarations altogether, because no annotation format needs them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from accord.errors import InputError, UnreadableError
from accord.files.limits import refuse_long_lines

#: no annotation format nests elements this deep
DEPTH = 200

_UTF8 = re.compile(rb"""\s*<\?xml[^>]*encoding\s*=\s*["']utf_?8["']""", re.IGNORECASE)

Start = Callable[[str, dict[str, str], int], None]


@dataclass(slots=True)
class Node:
    """An element: tag without its namespace, attributes, own text, children, and where it stands."""

    tag: str
    attributes: Mapping[str, str]
    path: str
    line: int
    text: str = ""
    #: text between this element's end and the next element
    tail: str = ""
    children: list[Node] = field(default_factory=list)

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def find(self, *tags: str) -> Node | None:
        """The first child, grandchild … along these tags."""
        here: Node | None = self
        for tag in tags:
            if here is None:
                return None
            here = next((c for c in here.children if c.tag == tag), None)
        return here

    def said(self, *tags: str) -> str:
        """The text of the first child, grandchild … along these tags, or nothing."""
        found = self.find(*tags)
        return "" if found is None else found.text.strip()

    def wrong(self, problem: str, *, hint: str | None = None) -> InputError:
        """What is wrong with the element, to be raised."""
        return InputError(problem, path=self.path, line=self.line, hint=hint)

    def all(self, tag: str) -> Iterator[Node]:
        """The children of this tag."""
        return (c for c in self.children if c.tag == tag)

    def walk(self) -> Iterator[Node]:
        """This element and everything below, in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


def parse(data: bytes, path: str) -> Node:
    """Parse a whole document.

    >>> parse(b"<a><b x='1'>hi</b></a>", "f.xml").find("b").text
    'hi'
    """
    top = Node("", {}, path, 0)
    stack = [top]
    pending: list[str] = []

    def flush() -> None:
        here = stack[-1]
        if here.children:
            here.children[-1].tail = "".join(pending)
        else:
            here.text = "".join(pending)
        pending.clear()

    def start(tag: str, attributes: dict[str, str], line: int) -> None:
        if pending:
            flush()
        node = Node(tag, attributes, path, line)
        stack[-1].children.append(node)
        stack.append(node)

    def end(_: str) -> None:
        if pending:
            flush()
        stack.pop()

    scan(data, path, start=start, end=end, characters=pending.append)
    return top.children[0]


def scan(
    data: bytes,
    path: str,
    *,
    start: Start,
    end: Callable[[str], None] | None = None,
    characters: Callable[[str], None] | None = None,
    namespaces: bool = False,
) -> None:
    """Call back for each element in turn, without building anything.

    Tags and attributes come without their namespace, or as ``uri}name`` with `namespaces`.
    """
    refuse_long_lines(data, path)
    # expat knows the encoding as utf-8 only, but files say utf8 too
    utf8 = _UTF8.match(data[:200].removeprefix(b"\xef\xbb\xbf")) is not None
    parser = expat.ParserCreate("utf-8" if utf8 else None, namespace_separator="}")
    parser.buffer_text = True
    parser.buffer_size = 1 << 16
    local: dict[str, str] = {}
    depth = 0

    def refuse(what: str) -> Callable[..., int]:
        def handler(*_: object) -> int:
            raise InputError(
                f"{what}, which accord refuses",
                path=path,
                line=parser.CurrentLineNumber,
                hint="remove it; annotations need none",
            )

        return handler

    def doctype(name: str, system: str | None, public: str | None, internal: int) -> None:
        if system or public:
            refuse("names an external document type (DTD)")()

    def short(name: str) -> str:
        known = local[name] = name.rpartition("}")[2]
        return known

    def on_start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEPTH:
            raise InputError(
                f"nests elements more than {DEPTH} deep", path=path, line=parser.CurrentLineNumber
            )
        if not namespaces:
            # called for every element: a name that is known costs no call, one join looks at all keys
            name = local.get(name) or short(name)
            if attributes and "}" in "".join(attributes):
                attributes = {short(key): value for key, value in attributes.items()}
        start(name, attributes, parser.CurrentLineNumber)

    def on_end(name: str) -> None:
        nonlocal depth
        depth -= 1
        if end is not None:
            end(name if namespaces else local[name])

    parser.StartElementHandler = on_start
    parser.EndElementHandler = on_end
    if characters is not None:
        parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = refuse("declares an entity")
    parser.UnparsedEntityDeclHandler = refuse("declares an entity")
    parser.ExternalEntityRefHandler = refuse("refers to an external entity")
    parser.SkippedEntityHandler = refuse("uses an undeclared entity")
    try:
        parser.Parse(data, True)
    except expat.ExpatError as problem:
        raise UnreadableError(
            f"is not well-formed XML ({expat.errors.messages.get(problem.code, problem)})",
            path=path,
            line=problem.lineno,
        ) from None
    except (LookupError, ValueError, TypeError) as problem:
        # an encoding that Python does not know or cannot map byte by byte
        raise UnreadableError(
            f"has an encoding that cannot be read ({problem})", path=path
        ) from None
