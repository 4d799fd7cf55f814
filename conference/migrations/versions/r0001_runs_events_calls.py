"""Runs, their events, and the model calls beside them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("run", sa.Text, primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("condition", sa.Text, nullable=False),
        sa.Column("models", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Text, nullable=False),
        sa.Column("deleted_at", sa.Text),
        sa.Column("owner", sa.Text),
        sa.Column("lease_until", sa.Double),
        sa.CheckConstraint("status IN ('running', 'paused', 'interrupted', 'finished', 'failed')", name="runs_status"),
    )
    op.create_table(
        "events",
        sa.Column("run", sa.Text, sa.ForeignKey("runs.run", ondelete="CASCADE"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("stage", sa.Integer),
        sa.Column("round", sa.Integer),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("run", "seq"),
    )
    utterances = sa.text("kind = 'utterance'")
    op.create_index("events_utterances", "events", ["run", "seq"], sqlite_where=utterances, postgresql_where=utterances)
    op.create_table(
        "calls",
        sa.Column("run", sa.Text, sa.ForeignKey("runs.run", ondelete="CASCADE"), nullable=False),
        sa.Column("call", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("speaker", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("purpose", sa.Text, nullable=False),
        sa.Column("prompt_version", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("tokens", sa.BigInteger),
        sa.Column("cached", sa.BigInteger),
        sa.Column("seconds", sa.Double),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("run", "call"),
    )
    op.create_index("calls_by_event", "calls", ["run", "seq", "tokens", "cached"])


def downgrade() -> None:
    op.drop_table("calls")
    op.drop_table("events")
    op.drop_table("runs")
