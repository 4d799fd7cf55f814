"""How a transcript reads as a meeting."""

from __future__ import annotations

from conference.domain.record import Record
from conference.domain.scores import Count, Row, Share


class SpeakerSpeech(Record):
    """How one speaker talks. None where there are too few turns or words to say."""

    speaker: str
    turns: Count
    words: Count
    self_repetition: float | None
    """Mean, over the turns from the second on, of the highest cosine with an own earlier turn (-1 to 1)."""
    type_token: float | None
    """Different words among the words: falls with length, so compare speakers of like length only."""
    moving_type_token: float | None
    """The same over moving windows of 50 words (Covington & McFall 2010): comparable whatever the length."""
    opening_variety: float | None
    """Different opening phrases (first three words) among the turns."""


class Speech(Record):
    """Measures of a whole transcript; shares carry their counts and Wilson intervals."""

    turns: Count
    repeats: Share
    """Turns with a cosine above .9 to any earlier turn."""
    first_person: Share
    """Turns with *I* or *we* in some form."""
    figures_exact: Share
    """Of the turns made from a note, where note or turn has a figure: those with the note's figures and no others."""
    answers: Share
    """Of the turns that answer somebody: those that name the person, or are about what the person said (see `answers_by_sense`)."""
    answers_by_name: Share
    answers_by_sense: Share
    """Nearer to the answered turn than to three quarters of the other turns of the stage: 1 in 4 by chance."""
    opening_variety: float | None
    """Different opening phrases among all turns."""
    speakers: tuple[SpeakerSpeech, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """The shares as lines of a table."""
        return (
            self.repeats.row("repeats an earlier turn"),
            self.first_person.row("in the first person"),
            self.figures_exact.row("the note's figures, and no others"),
            self.answers.row("answers the person addressed"),
            self.answers_by_name.row("… by name"),
            self.answers_by_sense.row("… by sense (1 in 4 by chance)"),
            Row(what="different openings", value=self.opening_variety, n=self.turns),
        )
