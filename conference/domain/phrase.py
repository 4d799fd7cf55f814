"""Words for people that can be said in another language: English text that remembers how it was made."""

from __future__ import annotations

from typing import Any


class Phrase(str):
    """English text, with the template and the values it was made of, so that a page can say it in the reader's language.

    `Phrase("Stage {number} of {all}", number=1, all=3)` is the text `Stage 1 of 3` wherever nobody translates.
    Values may be phrases themselves. Templates are literals: the catalogue is collected from the source.
    """

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, /, **values: Any) -> Phrase:
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values = template, values
        return made

    def __deepcopy__(self, _memo: object) -> Phrase:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.template, self.values)


def _again(template: str, values: dict[str, Any]) -> Phrase:
    return Phrase(template, **values)
