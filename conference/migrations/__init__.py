"""How a database of any age becomes one of today; run by the store when it opens.

To change the tables: change `conference/store/tables.py`, add `versions/rNNNN_what.py` with the next `revision` and the
last one as `down_revision`, and set `HEAD`. A test compares what the migrations make with the tables, on both databases.
A revision that was ever released is never edited.
"""
