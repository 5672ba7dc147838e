"""PDF bytes that depend on the drawing alone: vl-convert names a page's resources in a random order.

It also numbers fonts in a random order: only of a drawing in a single font the bytes are always the same.
"""

import re

_STREAM = re.compile(rb"(?s:\nstream\r?\n.*?\nendstream\n)")
_REFERENCES = re.compile(rb"(?:\n +/[A-Za-z]+\d+ \d+ 0 R){2,}")


def with_sorted_resources(pdf: bytes) -> bytes:
    """The same document with the entries of each dictionary of references sorted; every offset stays as it is."""
    parts = []
    end = 0
    for stream in _STREAM.finditer(pdf):
        parts += [_REFERENCES.sub(_sorted, pdf[end : stream.start()]), stream[0]]
        end = stream.end()
    return b"".join([*parts, _REFERENCES.sub(_sorted, pdf[end:])])


def _sorted(entries: re.Match[bytes]) -> bytes:
    return b"\n".join(sorted(entries[0].split(b"\n")))
