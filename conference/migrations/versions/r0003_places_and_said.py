"""Who spoke and what was called, in columns to page by; what was said, to search in (filled when somebody first searches)."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

SPEAKERS = {"utterance": "speaker", "ballot": "participant", "intervention": "by", "fault": "speaker"}
PLACELESS = ("intervention", "fault", "paused", "resumed", "conference_closed")
LONGEST = 200


def upgrade() -> None:
    op.add_column("events", sa.Column("speaker", sa.Text))
    op.add_column("events", sa.Column("verdict", sa.Text))
    _fill()
    op.create_index("events_places", "events", ["run", "seq", "kind", "stage", "round", "speaker", "verdict"])
    op.create_table(
        "said",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("run", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["run", "seq"], ["events.run", "events.seq"], ondelete="CASCADE"),
        sa.UniqueConstraint("run", "seq", name="said_once"),
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE said_index USING fts5(text, content='said', content_rowid='id', tokenize='trigram', detail=none)"
        )
        op.execute(
            "CREATE TRIGGER said_gone AFTER DELETE ON said BEGIN "
            "INSERT INTO said_index(said_index, rowid, text) VALUES ('delete', old.id, old.text); END"
        )


def _fill() -> None:
    """Speakers and verdicts from the bodies; an event without a place of its own stands where the one before it does."""
    connection = op.get_bind()
    events = sa.table("events", *map(sa.column, ("run", "seq", "kind", "stage", "round", "speaker", "verdict", "body")))
    update = (
        sa.update(events)
        .where(events.c.run == sa.bindparam("of"), events.c.seq == sa.bindparam("number"))
        .values(
            stage=sa.bindparam("in_stage", type_=sa.Integer),
            round=sa.bindparam("in_round", type_=sa.Integer),
            speaker=sa.bindparam("who", type_=sa.Text),
            verdict=sa.bindparam("called", type_=sa.Text),
        )
    )
    for (run,) in connection.execute(sa.text("SELECT run FROM runs")).all():
        after, place = -1, (None, None)
        while True:
            page = sa.select(events).where(events.c.run == run, events.c.seq > after).order_by(events.c.seq).limit(1000)
            rows = connection.execute(page).all()
            if not rows:
                break
            filled = []
            for row in rows:
                body = json.loads(row.body)
                place = place if row.kind in PLACELESS else (row.stage, row.round)
                speaker = str(body.get(SPEAKERS.get(row.kind, ""), "")).replace("\x00", "")[:LONGEST] or None
                verdict = (body.get("judgement") or {}).get("verdict") if row.kind == "agreement_call" else None
                filled.append(
                    {"of": run, "number": row.seq, "in_stage": place[0], "in_round": place[1], "who": speaker, "called": verdict}
                )
            connection.execute(update, filled)
            after = rows[-1].seq
