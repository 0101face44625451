"""What functions return. All of these can be compared, hashed and pickled."""

import json
from typing import NamedTuple, Optional


class Link(NamedTuple):
    """A reference in a document. The fields are those of the command ``abslink links``."""

    line: int
    """Line, from 1."""
    column: int
    """Column, from 1, in characters."""
    start: int
    """Where the part of the value begins that would be replaced: in bytes of a ``bytes`` document, in
    characters of a ``str``."""
    end: int
    """Where it ends."""
    element: str
    """The element's name in lower case."""
    attribute: str
    """The attribute's name in lower case; empty if the reference is in an element's text."""
    kind: str
    """The grammar of the value, such as ``url`` and ``srcset``."""
    reference: str
    """The decoded value, without white space around it."""
    absolute: Optional[str]
    """Its absolute form, if it has one."""
    base: Optional[str]
    """The base URL that it was resolved against."""
    base_from: str
    """Where the base URL comes from (RFC 1808 section 3), such as ``embedded`` and ``layout``."""
    outcome: str
    """``relative``, ``absolute``, ``same-document``, ``unresolved``, ``excluded``, ``present``, ``placeholder`` or
    ``windows-path``."""
    divergent: Optional[str]
    """What a browser gets, if that is another target; empty if it gets no URL."""


class Base(NamedTuple):
    """The base URL of a document."""

    url: str
    rung: str
    """Where it comes from: ``embedded`` for a ``<base>`` element, ``layout`` for the URL that was given."""


class Components(NamedTuple):
    """The components of a URL (RFC 1808 section 2.1), and of its net_loc (RFC 1738 section 3.1).
    ``None`` means that there is none, which is not the same as empty."""

    scheme: Optional[str]
    net_loc: Optional[str]
    path: str
    params: Optional[str]
    query: Optional[str]
    fragment: Optional[str]
    user: Optional[str]
    password: Optional[str]
    host: Optional[str]
    port: Optional[str]


class Message(NamedTuple):
    """A message about a file."""

    path: str
    """The file; in an archive, with ``#`` and the offset of the record."""
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}"


class Finding(NamedTuple):
    """A reference that is relative. The fields are those of ``abslink check --format json``: those of a
    Link, whose ``start`` and ``end`` count bytes of the file, and the file."""

    file: str
    """The file; in an archive, with ``#`` and the offset of the record."""
    line: int
    column: int
    start: int
    end: int
    element: str
    attribute: str
    kind: str
    reference: str
    absolute: Optional[str]
    base: Optional[str]
    base_from: str
    outcome: str
    """``relative`` if there is a base URL, and ``unresolved`` if there is none."""
    divergent: Optional[str] = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.reference}"


class Check(NamedTuple):
    """What is still relative."""

    findings: "tuple[Finding, ...]"
    """In path order."""
    files: int
    """Documents read. Each one in a web archive counts."""
    exit_code: int
    """That of the command: 0 nothing is relative, 1 something is, 2 something failed or no document was
    found."""
    errors: "tuple[Message, ...]"
    """What could not be processed, in path order."""
    notes: "tuple[Message, ...]"
    """What is worth a note, but not a failure."""

    @classmethod
    def _of(
        cls,
        found: bytes,
        files: int,
        exit_code: int,
        errors: "list[tuple[str, str]]",
        notes: "list[tuple[str, str]]",
    ) -> "Check":
        return cls(
            findings=tuple(Finding(**json.loads(line)) for line in found.split(b"\n") if line),
            files=files,
            exit_code=exit_code,
            errors=tuple(Message(*error) for error in errors),
            notes=tuple(Message(*note) for note in notes),
        )


class Summary(NamedTuple):
    """What a run did. The fields up to ``seconds`` are those of ``abslink rewrite --format json``."""

    files: int
    """Documents read. Each one in a web archive counts."""
    files_changed: int
    files_unchanged: int
    files_failed: int
    """Files, directories and records that could not be processed."""
    files_without_base: int
    """Documents with relative references and no base URL."""
    not_taken: int
    """Files that look like documents and were not taken because of their names."""
    bytes_in: int
    bytes_out: int
    references: int
    rewritten: int
    """References that were made absolute."""
    absolute: int
    same_document: int
    unresolved: int
    excluded: int
    divergent: int
    """References that a browser takes to another target."""
    seconds: float
    exit_code: int
    """That of the command: 0 done, 1 relative references are left, 2 something failed."""
    errors: "tuple[Message, ...]"
    """What could not be processed, in path order."""
    notes: "tuple[Message, ...]"
    """What is worth a note, but not a failure."""
    records: int = 0
    """Records of web archives."""
    present: int = 0
    """With ``only_missing``: references left because their target is in the tree."""
    placeholders: int = 0
    """References that begin with a template placeholder, and stay."""
    unknown_places: int = 0
    """Values in feeds that look like relative links, in elements that abslink does not know."""
    above_root: int = 0
    """References with ``..`` for more levels than the path of the base URL has."""
    unwrapped: int = 0
    """With ``unwrap``: references that were URLs of a web archive's copies."""
    responses: int = 0
    """Responses and resources in the web archives that were read."""
    conversions: int = 0
    """Conversions in the web archives that were written."""
    listed: "tuple[str, ...]" = ()
    """With ``list_files``: the path of each file that changes, in order."""
    windows_paths: int = 0
    """Paths of files on Windows, which stay."""
    copies_left: int = 0
    """With ``move_url``: copies of the host of FROM where no link is."""

    @classmethod
    def _of(
        cls,
        fields: str,
        exit_code: int,
        errors: "list[tuple[str, str]]",
        notes: "list[tuple[str, str]]",
        listed: "list[str]",
    ) -> "Summary":
        # The command has more to say, for some options.
        known = {name: value for name, value in json.loads(fields).items() if name in cls._fields}
        return cls(
            **known,
            exit_code=exit_code,
            errors=tuple(Message(*error) for error in errors),
            notes=tuple(Message(*note) for note in notes),
            listed=tuple(listed),
        )
