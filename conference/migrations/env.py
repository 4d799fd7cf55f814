"""Run by Alembic, on the connection and inside the transaction the store gives it."""

from alembic import context

from conference.store.tables import VERSION_TABLE, metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, version_table=VERSION_TABLE)
with context.begin_transaction():
    context.run_migrations()
