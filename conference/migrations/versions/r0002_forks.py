"""Forks: a run whose log begins with the first events of another run's."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("runs", sa.Column("parent", sa.Text))
    op.add_column("runs", sa.Column("parent_events", sa.Integer))
    op.add_column("runs", sa.Column("parent_utterances", sa.Integer))
    op.create_index("runs_by_parent", "runs", ["parent"])
