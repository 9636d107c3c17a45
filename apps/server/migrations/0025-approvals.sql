-- Approved work of several transactions. An interrupted one waits again.
alter type approval_state add value 'running' after 'waiting';
