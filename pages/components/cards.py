"""Cards of what the library holds, on markdown surfaces and in tables; nothing in them is markup."""

from __future__ import annotations

import streamlit as st

from conference.analysis.people import initials_of
from conference.analysis.reference_state import Gap, gaps_of, unchecked
from conference.domain.persona import Persona
from conference.domain.reference import CONFIDENCE_IN_WORDS, Reference
from conference.domain.spec import Spec
from pages.components.language import t, tn
from pages.components.shared import plain


def persona_card(person: Persona) -> str:
    """A persona as a card, on a markdown surface."""
    lines = [f"**{plain(person.name, 120)}**  \n{plain(person.role)}"]
    for label, parts in (
        (t("Aim"), [person.aim]), (t("Interests"), person.interests), (t("Expertise"), person.expertise), (t("Speaks"), [person.voice]),
        (t("Favours"), person.favours), (t("Rejects"), person.rejects),
    ):  # fmt: skip
        if any(parts):
            lines.append(f"{label}: {'; '.join(plain(part) for part in parts if part)}")
    brief = person.brief
    if brief.points:
        lines.append(f"{t('Points')}:\n" + "\n".join(f"- {plain(point.text, 300)}" for point in brief.points))
    else:
        lines.append(t("Brings no points of their own; speaks from the role."))
    if brief.concessions:
        gives = (f"- {plain(note.option)}, {t('if')} {plain(note.condition)}" for note in brief.concessions)
        lines.append(f"{t('Would accept')}:\n" + "\n".join(gives))
    lines.append(f":small[{plain(person.id)} · {tn('{n} question', '{n} questions', n=len(brief.questions))}]")
    return "\n\n".join(lines)


def reference_card(reference: Reference) -> None:
    """Draw a reference: where it is from, how sure we are, what can't be read yet."""
    st.markdown(f"**{plain(reference.title)}**  \n{plain(reference.citation)}")
    if reference.decision_question:
        st.markdown(plain(reference.decision_question))
    sure = {key: t(words) for key, words in CONFIDENCE_IN_WORDS.items()}
    doubtful = unchecked(reference)
    if doubtful:
        st.warning(t("Recalled, not checked against the publication: {names}", names=plain(", ".join(doubtful), 600)))
    _gaps(gaps_of(reference))
    rows = [
        {t("Cluster"): cluster.name, t("Criterion"): item.name, t("Definition"): item.definition, t("Weight"): item.weight,
         t("Examples"): len(item.examples), t("How sure"): sure[item.confidence]}
        for cluster in reference.clusters for item in cluster.criteria
    ]  # fmt: skip
    st.dataframe(rows, hide_index=True, width="stretch", alt=t("The criteria of this reference"))
    if reference.options:
        st.dataframe(
            [{t("Option"): one.name, t("How sure"): sure[one.confidence], t("Note"): one.note or ""} for one in reference.options],
            hide_index=True, width="stretch", alt=t("The options of this reference"),
        )  # fmt: skip
    for key, value in reference.provenance.items():
        st.caption(f"{plain(str(key))}: {plain(str(value), 600)}")


def _gaps(gaps: Gap) -> None:
    if gaps.none:
        st.warning(t("No criterion has examples: talk can't be read against this reference until some are written."))
    elif gaps.few:
        names = plain(", ".join(gaps.few), 600)
        st.warning(t("Fewer than {n} examples, so coverage is weak there: {names}", n=gaps.least, names=names))


def conference_card(spec: Spec) -> None:
    """Draw a conference: question, options, table, agenda."""
    st.markdown(f"**{plain(spec.title)}**  \n{plain(spec.question)}")
    if spec.options:
        st.markdown(f"{t('Options')}: {'; '.join(plain(option) for option in spec.options)}")
    people = "\n".join(
        f"- **{plain(initials_of(one.name))}** {plain(one.name)}, {plain(one.role)}"
        for one in (spec.moderator, *spec.participants)
    )
    st.markdown(f"{t('Table')}:\n{people}")
    stages = "\n".join(
        f"- {plain(stage.name)}: {tn('at most {n} round', 'at most {n} rounds', n=stage.max_rounds)}" for stage in spec.agenda
    )
    st.markdown(f"{t('Agenda')}:\n{stages}")
    st.caption(f"{t('Models')}: {plain(spec.models.default)} · {t('Reference')}: {plain(spec.reference or t('none'))}")
