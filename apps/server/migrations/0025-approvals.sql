-- Approved work of several transactions. An interrupted one waits again.
alter type approval_state add value 'running' after 'waiting';

alter table approvals add column api_key smallint; -- of account_id, if a program asked
call audited.make_views();
