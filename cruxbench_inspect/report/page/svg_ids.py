"""Ids inside an SVG that depend on it alone: Vega counts them up from drawing to drawing."""

import re

_DEFINED = re.compile(r'<(clipPath|linearGradient|radialGradient)(?: [\w-]+="[^"]*")*? id="([^"]*)"')
# In quotes, a tag may have the signs that end it.
_TAG = re.compile(r'<[A-Za-z](?:[^<>"]|"[^"]*")*>')
_NAMED = re.compile(r' (id|[\w-]+)="(url\(#)?([^"()]*)(\)?)"')


def with_own_ids(svg: str) -> str:
    """The same drawing, whose clip paths and gradients are numbered from 1 in their order."""
    kinds: dict[str, int] = {}
    names: dict[str, str] = {}
    for kind, name in _DEFINED.findall(svg):
        kinds[kind] = kinds.get(kind, 0) + 1
        names[name] = f"{kind}{kinds[kind]}"

    def renamed(attribute: re.Match[str]) -> str:
        key, before, name, after = attribute.groups(default="")
        refers = bool(before) if key != "id" else not before
        return f' {key}="{before}{names[name]}{after}"' if refers and name in names else attribute[0]

    return _TAG.sub(lambda tag: _NAMED.sub(renamed, tag[0]), svg) if names else svg
