"""Set up through `app.py`: what was found broken there."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from conference.drafts import keep_draft
from conference.live import LiveRuns
from tests.pages.test_pages import opened

BROKEN = "title: [x\n"


def title(page: AppTest) -> str:
    return str(next(each for each in page.text_input if each.label == "Title").value)


def ask(page: AppTest, question: str) -> AppTest:
    return next(each for each in page.text_area if each.label == "What is to be decided?").set_value(question).run()


def test_a_broken_text_is_mended_in_the_yaml(runs: LiveRuns) -> None:
    """Found: the button set the view after its widget was drawn, which Streamlit refuses."""
    keep_draft("0123abcd", BROKEN)
    page = opened("set_up", draft="0123abcd")
    page.button(key="mend").click().run()
    assert not page.exception, page.exception
    assert page.session_state["setup_view"] == "yaml"
    assert BROKEN.strip() in [str(each.value).strip() for each in page.text_area]


def test_the_title_follows_the_question_until_somebody_writes_another(runs: LiveRuns) -> None:
    page = ask(opened("set_up"), "Should we close our smallest branch?")
    assert title(page) == "Should we close our smallest branch"
    assert title(page.run()) == "Should we close our smallest branch"
    page = ask(page, "Should we sell it?")
    assert title(page) == "Should we sell it"
    page = next(each for each in page.text_input if each.label == "Title").set_value("The branch").run()
    assert title(ask(page, "Should we keep it?")) == "The branch"
