-- Answer to the last delivery of a message that could not be applied yet. A restored cell can fail for settled messages too.
alter table sent_credit add column failure text;
