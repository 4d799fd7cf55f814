"""What lasts: runs, their logs, and every model call beside them, in SQLite or PostgreSQL.

with Store.open("sqlite:////home/me/plenary/plenary.db") as store:
    run = store.create_run("Cannabis regulation", condition="with_judge", models=["embedded"], seed=1)
    store.log(run).append(event)
"""

from conference.store.calls import StoredCall
from conference.store.paging import Contents, EventPage, Wanted
from conference.store.run_log import RunLog
from conference.store.runs import Prefix, RunSummary
from conference.store.store import Store
from conference.store.tables import Status

__all__ = ["Contents", "EventPage", "Prefix", "RunLog", "RunSummary", "Status", "Store", "StoredCall", "Wanted"]
