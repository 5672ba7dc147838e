"""Prompt files: Markdown with ``{{field}}`` placeholders, rendered strictly, with a version for the log."""

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Prompt:
    """A prompt template.

    Attributes:
        name: The file's stem.
        template: Its text.
    """

    name: str
    template: str

    @classmethod
    def read(cls, path: Path) -> "Prompt":
        """Read a template from a Markdown file."""
        return cls(path.stem, path.read_text(encoding="utf-8").strip())

    @cached_property
    def version(self) -> str:
        """The name and eight hexadecimal digits that change with every change of the template."""
        return f"{self.name}-{hashlib.sha256(self.template.encode('utf-8')).hexdigest()[:8]}"

    def render(self, **fields: str) -> str:
        """Fill in the placeholders.

        Raises:
            ValueError: If a placeholder has no field, or a field no placeholder.
        """
        placeholders = set(_PLACEHOLDER.findall(self.template))
        if placeholders != set(fields):
            missing, extra = sorted(placeholders - set(fields)), sorted(set(fields) - placeholders)
            raise ValueError(f"prompt {self.name!r}: missing fields {missing}, unknown fields {extra}")
        return _PLACEHOLDER.sub(lambda match: fields[match.group(1)], self.template)
