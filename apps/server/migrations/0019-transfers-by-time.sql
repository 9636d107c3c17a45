-- Transfers lie in the table as they were made, so that which stretch of it is of which time is told by a few bytes for each stretch. A
-- transfer that is added changes nothing of it until its stretch is full.
create index transfers_time on transfers using brin (at) with (pages_per_range = 32, autosummarize = on);
