-- When betting closes, the root of the draw's ticket tree is published (docs/fairness.md). What was closed before keeps what was published
-- then: a digest of all tickets one after the other.
alter table draws add column ticket_root bytea;
alter table draws drop constraint draws_sealed;
alter table draws add constraint draws_sealed check (num_nonnulls(ticket_digest, ticket_root) = case status when 'open' then 0 else 1 end);
