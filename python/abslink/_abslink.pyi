import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, final, overload

from typing_extensions import TypeAlias

from ._types import Base, Check, Components, Link, Summary

if TYPE_CHECKING:
    import pyarrow

_Document = TypeVar("_Document", bytes, str)
_Buffer: TypeAlias = Union[bytearray, memoryview]
_Path: TypeAlias = Union[str, os.PathLike[str]]
_Value: TypeAlias = Union[str, int, bool, os.PathLike[str], None]
_Resolver: TypeAlias = Literal["rfc1808", "rfc3986", "whatwg"]
_Texts: TypeAlias = Union[str, Iterable[str]]

__all__ = [
    "Error",
    "UsageError",
    "BaseUrlError",
    "ResolveError",
    "EncodingError",
    "GrowthError",
    "InternalError",
    "rewrite",
    "links",
    "find_base",
    "resolve",
    "parse",
    "Rewriter",
    "rewrite_tree",
    "rewrite_warc",
    "check",
    "run",
    "inputs",
    "command",
    "fail",
    "__version__",
]
__version__: str

class Error(ValueError): ...
class UsageError(Error): ...
class BaseUrlError(Error): ...
class ResolveError(Error): ...
class EncodingError(Error): ...
class GrowthError(Error):
    summary: Summary  # where rewrite_warc raises it
class InternalError(Error): ...

@overload
def rewrite(
    html: _Document,
    base_url: str | None = None,
    *,
    charset: str | None = None,
    read_as: Literal["html", "xhtml", "feed", "message", "markdown"] = "html",
    resolver: _Resolver = "rfc1808",
    fragments: Literal["auto", "resolve", "keep"] = "auto",
    placeholders: Literal["keep", "resolve"] = "keep",
    also: _Texts = (),
    skip: _Texts = (),
    only: _Texts = (),
    attr: _Texts = (),
    exclude_url: str | None = None,
    to: Literal["absolute", "relative", "root"] = "absolute",
    site: _Texts = (),
    move_url: _Texts = (),
    remove_base: bool = False,
    unwrap: bool = False,
) -> _Document: ...
@overload
def rewrite(
    html: _Buffer,
    base_url: str | None = None,
    *,
    charset: str | None = None,
    read_as: Literal["html", "xhtml", "feed", "message", "markdown"] = "html",
    resolver: _Resolver = "rfc1808",
    fragments: Literal["auto", "resolve", "keep"] = "auto",
    placeholders: Literal["keep", "resolve"] = "keep",
    also: _Texts = (),
    skip: _Texts = (),
    only: _Texts = (),
    attr: _Texts = (),
    exclude_url: str | None = None,
    to: Literal["absolute", "relative", "root"] = "absolute",
    site: _Texts = (),
    move_url: _Texts = (),
    remove_base: bool = False,
    unwrap: bool = False,
) -> bytes: ...
def links(
    html: bytes | str | _Buffer,
    base_url: str | None = None,
    *,
    charset: str | None = None,
    read_as: Literal["html", "xhtml"] = "html",
    resolver: _Resolver = "rfc1808",
    fragments: Literal["auto", "resolve", "keep"] = "auto",
    placeholders: Literal["keep", "resolve"] = "keep",
    also: _Texts = (),
    skip: _Texts = (),
    only: _Texts = (),
    attr: _Texts = (),
    exclude_url: str | None = None,
    to: Literal["absolute", "relative", "root"] = "absolute",
    site: _Texts = (),
    move_url: _Texts = (),
    remove_base: bool = False,
    unwrap: bool = False,
) -> list[Link]: ...
def find_base(
    html: bytes | str | _Buffer,
    base_url: str | None = None,
    *,
    charset: str | None = None,
    read_as: Literal["html", "xhtml"] = "html",
    resolver: _Resolver = "rfc1808",
    fragments: Literal["auto", "resolve", "keep"] = "auto",
    placeholders: Literal["keep", "resolve"] = "keep",
    also: _Texts = (),
    skip: _Texts = (),
    only: _Texts = (),
    attr: _Texts = (),
    exclude_url: str | None = None,
    to: Literal["absolute", "relative", "root"] = "absolute",
    site: _Texts = (),
    move_url: _Texts = (),
    remove_base: bool = False,
    unwrap: bool = False,
) -> Base | None: ...
def resolve(base: str, reference: str, *, resolver: _Resolver = "rfc1808") -> str: ...
def parse(url: str) -> Components: ...
@final
class Rewriter:
    def __new__(
        cls,
        *,
        charset: str | None = None,
        read_as: Literal["html", "xhtml", "feed", "message", "markdown"] = "html",
        resolver: _Resolver = "rfc1808",
        fragments: Literal["auto", "resolve", "keep"] = "auto",
        placeholders: Literal["keep", "resolve"] = "keep",
        also: _Texts = (),
        skip: _Texts = (),
        only: _Texts = (),
        attr: _Texts = (),
        exclude_url: str | None = None,
            to: Literal["absolute", "relative", "root"] = "absolute",
        site: _Texts = (),
        move_url: _Texts = (),
        remove_base: bool = False,
        unwrap: bool = False,
    ) -> Rewriter: ...
    @overload
    def rewrite(
        self, html: _Document, base_url: str | None = None, *, charset: str | None = None
    ) -> _Document: ...
    @overload
    def rewrite(
        self, html: _Buffer, base_url: str | None = None, *, charset: str | None = None
    ) -> bytes: ...
    @overload
    def rewrite_and_count(
        self, html: _Document, base_url: str | None = None, *, charset: str | None = None
    ) -> tuple[_Document, int, int, int]: ...
    @overload
    def rewrite_and_count(
        self, html: _Buffer, base_url: str | None = None, *, charset: str | None = None
    ) -> tuple[bytes, int, int, int]: ...
    def rewrite_batch(
        self,
        batch: Any,
        *,
        html: str = "html",
        url: str | None = "url",
        charset: str | None = None,
    ) -> pyarrow.RecordBatch: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...

def rewrite_tree(
    source: _Path,
    destination: _Path | None = None,
    *,
    base_url: str | None = None,
    in_place: bool = False,
    progress: Callable[[int, int], object] | None = None,
    **options: _Value | Iterable[_Value],
) -> Summary: ...
def rewrite_warc(
    source: _Path, destination: _Path, **options: _Value | Iterable[_Value]
) -> Summary: ...
def check(source: _Path, *, base_url: str | None = None, **options: _Value | Iterable[_Value]) -> Check: ...
def run(
    arguments: Sequence[str],
    progress: Callable[[int, int], object] | None = None,
    must_write: bool = False,
    date: str | None = None,
) -> Summary: ...
def inputs(arguments: Sequence[str]) -> int: ...
def command(arguments: Sequence[str]) -> int: ...
def fail(message: str) -> None: ...
