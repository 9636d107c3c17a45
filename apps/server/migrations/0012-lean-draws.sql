-- A draw is written for every game of every network at each interval, most without a ticket: what it takes on disk counts. Its states become
-- four bytes each, the seed takes the place of the sealed one once it is public, and there is no index for a look-up by the id alone, which
-- goes by network after network.
create type draw_status as enum ('open', 'closed', 'drawn', 'settled', 'void');
create type result_source as enum ('declared', 'generated');

drop index draws_id;
drop index draws_due;
alter table draws
  drop constraint draws_status_check,
  drop constraint draws_source_check,
  drop constraint draws_result,
  drop constraint draws_closed,
  drop constraint draws_sealed,
  drop constraint draws_saved,
  drop constraint draws_finished;
alter table draws
  alter column status type draw_status using status::draw_status,
  alter column source type result_source using source::result_source,
  alter column sealed_seed drop not null,
  alter column sealed_seed type bytea using case when seed is null then sealed_seed end;
alter table draws
  add constraint draws_result check ((status in ('drawn', 'settled')) = (result is not null)
    and num_nulls(result, result_label, booster, source) in (0, 4)),
  add constraint draws_closed check ((status = 'open') = (closed_at is null)),
  add constraint draws_sealed check (num_nonnulls(ticket_digest, ticket_root) = case status when 'open' then 0 else 1 end),
  -- A saved result closes betting.
  add constraint draws_saved check ((saved_at is null or (status <> 'open' and saved_at >= closed_at))
    and num_nulls(saved_result, saved_booster, saved_by, saved_at) in (0, 4)),
  -- Of a void draw the seed is published where it can be unsealed.
  add constraint draws_finished check ((status in ('settled', 'void')) = (finished_at is not null)
    and num_nulls(seed, sealed_seed) = 1 and (seed is null or finished_at is not null) and (status <> 'settled' or seed is not null));

-- When each draw that is not finished has its next step. Each step writes a row anew, so there is soon as much to clear away as there are draws.
create index draws_due on draws ((case status when 'open' then closes_at else draws_at end)) where status in ('open', 'closed', 'drawn');
alter table draws set (autovacuum_vacuum_scale_factor = 0.05);
