"""Evidence sources by name."""

import os
import re
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.archive import Archive
from cruxbench_inspect.evidence.joined import JoinedSource
from cruxbench_inspect.evidence.page_archive import PageArchive
from cruxbench_inspect.evidence.replay import ReplaySource
from cruxbench_inspect.evidence.results import ResultStore
from cruxbench_inspect.evidence.settings import ServiceAddresses
from cruxbench_inspect.evidence.source import EvidenceSource
from cruxbench_inspect.evidence.stored_source import StoredSource
from cruxbench_inspect.working_directory import user_path

if TYPE_CHECKING:
    from cruxbench_inspect.evidence.services.article_lists import ArticleLists

SOURCE_NAMES = ("archive", "web", "asknews", "exa", "tavily", "live", "replay")
"""The names that ``open_source`` knows. ``archive`` and ``replay`` may be followed by ``:FILE``, the latter has to."""

_JOIN = re.compile(rf"\+(?=(?:{'|'.join(SOURCE_NAMES)})(?:[:+]|$))")


def check_name(name: str) -> None:
    """Check the form of a source's name, without opening anything.

    Raises:
        InputError: If a part is unknown, or cannot be joined with the others.
    """
    parts = _parts(name)
    for part in parts:
        kind, _, file = part.partition(":")
        if kind not in SOURCE_NAMES or (file and kind not in ("archive", "replay")):
            raise InputError(
                f"unknown evidence source {part!r}. Known: {', '.join(SOURCE_NAMES)}, several joined by +. "
                "Set evidence to one of them"
            )
        if kind == "replay" and not file:
            raise InputError("evidence source 'replay': name the recording, as in evidence=replay:FILE")
    kinds = [part.partition(":")[0] for part in parts]
    if "replay" in kinds and len(kinds) > 1:
        raise InputError(f"evidence source {name!r}: a recording is replayed alone, with all that it was made from")
    if set(kinds) == {"live"}:
        raise InputError(
            f"evidence source {name!r}: live only reads pages that another source finds. Join it, as in web+live"
        )


def absolute_name(name: str) -> str:
    """The name with its files as absolute paths, so that a log can be rescored from anywhere."""
    parts = (part.partition(":") for part in _parts(name))
    return "+".join(f"{kind}:{user_path(file)}" if file else kind for kind, _, file in parts)


def open_source(name: str, evidence_file: Path | None, record: str | None = None) -> EvidenceSource:
    """Open a source by its name; an archive that is not built yet is built now.

    What services answer is kept in the cache folder: an answered request is not asked again.

    Args:
        name: Names of ``SOURCE_NAMES``, joined by ``+``.
        evidence_file: The ``evidence.jsonl`` of the question set, None when it ships none.
        record: A file that keeps all that the source answers, for ``replay``.

    Raises:
        InputError: If the name is unknown, or what the source needs is missing: a file, a key, a package.
    """
    check_name(name)
    parts = [_open_part(part, evidence_file) for part in _parts(name)]
    source = parts[0] if len(parts) == 1 else JoinedSource(parts)
    return source if record is None else StoredSource(source, ResultStore(user_path(record)))


def open_article_lists() -> "ArticleLists":
    """GDELT's raw article lists, at the address that the environment sets."""
    from cruxbench_inspect.evidence.services.article_lists import article_lists

    return article_lists(str(ServiceAddresses.of_environment().article_lists_url).rstrip("/"))


def open_page_archive() -> PageArchive:
    """The archive of web pages, at the address that the environment sets."""
    return _stored_pages(ServiceAddresses.of_environment())


def _parts(name: str) -> list[str]:
    """The parts of a joined name; a recording with the name of the source in it, be it a joined one, is one part."""
    recorded = name.rpartition("#")[2]
    if name.startswith("replay:") and recorded != name:
        if all(part.partition(":")[0] in SOURCE_NAMES for part in _JOIN.split(recorded)):
            return [name]
    return _JOIN.split(name)


def _open_part(name: str, evidence_file: Path | None) -> EvidenceSource:
    kind, _, file = name.partition(":")
    if kind == "archive":
        return _open_archive(name, user_path(file) if file else evidence_file)
    if kind == "replay":
        return _open_replay(file)
    services: dict[str, Callable[[ServiceAddresses], EvidenceSource]] = {
        "web": _open_web,
        "asknews": _open_asknews,
        "exa": _open_exa,
        "tavily": _open_tavily,
        "live": _open_live,
    }
    service = services[kind](ServiceAddresses.of_environment())
    return service if kind == "live" else StoredSource(service, ResultStore())


def _open_archive(name: str, file: Path | None) -> EvidenceSource:
    if file is None:
        raise InputError(
            f"evidence source {name!r}: the question set ships no evidence.jsonl. "
            "Add that file to the set and its manifest, name one as in evidence=archive:FILE, or choose another source"
        )
    return Archive.open(file)


def _open_replay(name: str) -> EvidenceSource:
    file, _, source = name.rpartition("#")
    if not file or user_path(name).exists():
        return ReplaySource.open(user_path(name), None)
    return ReplaySource.open(user_path(file), source)


# Clients are made once per process and address, so that all sources together keep to a service's pace. They are
# imported when they are needed: a run over an archive has no use for them.
@lru_cache(maxsize=4)
def _stored_pages(addresses: ServiceAddresses) -> PageArchive:
    from cruxbench_inspect.evidence.services.wayback import wayback
    from cruxbench_inspect.evidence.stored_pages import StoredPages

    return StoredPages(wayback(str(addresses.wayback_url).rstrip("/")))


@lru_cache(maxsize=4)
def _open_web(addresses: ServiceAddresses) -> EvidenceSource:
    from cruxbench_inspect.evidence.services.gdelt import gdelt_doc
    from cruxbench_inspect.evidence.services.wikipedia import wikipedia
    from cruxbench_inspect.evidence.web import WebSource

    return WebSource(
        gdelt_doc(str(addresses.gdelt_url).rstrip("/")),
        wikipedia(str(addresses.wikipedia_url).rstrip("/")),
        _stored_pages(addresses),
        ResultStore(),
    )


def _open_asknews(addresses: ServiceAddresses) -> EvidenceSource:
    from cruxbench_inspect.evidence.providers.asknews import asknews

    settings = _settings("ASKNEWS_API_KEY", "ASKNEWS_CLIENT_ID", "ASKNEWS_SECRET", "CRUXBENCH_ASKNEWS_INTERVAL")
    return _once(asknews, _text(addresses.asknews_url), environment=settings)


def _open_exa(addresses: ServiceAddresses) -> EvidenceSource:
    from cruxbench_inspect.evidence.providers.exa import exa

    return _once(exa, _text(addresses.exa_url), environment=_settings("EXA_API_KEY"))


def _open_tavily(addresses: ServiceAddresses) -> EvidenceSource:
    return _once(_tavily, addresses, environment=_settings("TAVILY_API_KEY"))


def _tavily(addresses: ServiceAddresses, environment: Mapping[str, str]) -> EvidenceSource:
    from cruxbench_inspect.evidence.providers.tavily import tavily

    return tavily(_stored_pages(addresses), _text(addresses.tavily_url), environment)


Settings = tuple[tuple[str, str], ...]


def _settings(*names: str) -> Settings:
    return tuple((name, os.environ[name]) for name in names if name in os.environ)


@lru_cache(maxsize=8)
def _once(provider: Callable[..., EvidenceSource], *arguments: Hashable, environment: Settings) -> EvidenceSource:
    return provider(*arguments, environment=dict(environment))


def _open_live(_: ServiceAddresses) -> EvidenceSource:
    from cruxbench_inspect.evidence.fetching.live_fetch import LiveFetch
    from cruxbench_inspect.evidence.live import LiveSource

    return LiveSource(LiveFetch())


def _text(address: object | None) -> str | None:
    return None if address is None else str(address).rstrip("/")
