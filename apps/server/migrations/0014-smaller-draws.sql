-- What follows from the rest of a draw is not stored with it: its number follows from its times, and the root over no tickets is the SHA-256 of
-- nothing. Results are read whole, so they are text; what is narrow stands where it needs no padding. No draw changes by that.
do $$
declare wrong record;
begin
  select network_id, id, number into wrong from draws
  where number is distinct from floor(extract(epoch from opens_at) / nullif(extract(epoch from draws_at - opens_at), 0)) limit 1;
  if found then
    raise exception 'draw % of network % has the number %, which does not follow from its times', wrong.id, wrong.network_id, wrong.number;
  end if;
  select network_id, id into wrong from draws where ticket_count = 0 and ticket_root <> sha256('') limit 1;
  if found then
    raise exception 'draw % of network % has no tickets and the root of some', wrong.id, wrong.network_id;
  end if;
end
$$;

drop index draws_due;
alter table draws drop constraint draws_pkey, drop constraint draws_opening;
alter table draws rename to old_draws;
create table draws (
  opens_at timestamptz not null,
  closes_at timestamptz not null, -- by the schedule
  draws_at timestamptz not null,
  closed_at timestamptz, -- when betting closed, under the draw's lock: every ticket was placed before it
  saved_at timestamptz,
  finished_at timestamptz, -- settled or voided
  id uuid not null,
  game_id uuid not null,
  terms_id uuid not null,
  saved_by uuid,
  confirmed_by uuid,
  network_id integer not null,
  ticket_count integer,
  status draw_status not null,
  source result_source,
  void_cause void_cause,
  booster smallint,
  saved_booster smallint,
  counted boolean not null default true,
  commitment bytea not null, -- SHA-256 of the seed, published at once
  sealed_seed bytea, -- encrypted with SEED_KEY, until the seed is public
  seed bytea, -- published once settled
  ticket_digest bytea, -- of draws that were closed before there were ticket trees
  ticket_root bytea, -- published when betting closes; of no tickets it is the SHA-256 of nothing, and not stored
  result json,
  result_label text,
  saved_result json,
  saved_mode text check (saved_mode in ('open', 'two-person')),
  primary key (network_id, id),
  constraint draws_result check ((status in ('drawn', 'settled')) = (result is not null)
    and num_nulls(result, result_label, booster, source) in (0, 4)),
  constraint draws_closed check ((status = 'open') = (closed_at is null)),
  constraint draws_sealed check (num_nonnulls(ticket_digest, ticket_root) = case when status = 'open'
    or (ticket_count is not distinct from 0 and ticket_digest is null) then 0 else 1 end),
  constraint draws_void check ((status = 'void') = (void_cause is not null)),
  -- A saved result closes betting.
  constraint draws_saved check ((saved_at is null or (status <> 'open' and saved_at >= closed_at))
    and num_nulls(saved_result, saved_booster, saved_by, saved_at) in (0, 4)),
  -- Of a void draw the seed is published where it can be unsealed.
  constraint draws_finished check ((status in ('settled', 'void')) = (finished_at is not null)
    and num_nulls(seed, sealed_seed) = 1 and (seed is null or finished_at is not null) and (status <> 'settled' or seed is not null))
);
insert into draws (opens_at, closes_at, draws_at, closed_at, saved_at, finished_at, id, game_id, terms_id, saved_by, confirmed_by, network_id,
    ticket_count, status, source, void_cause, booster, saved_booster, counted, commitment, sealed_seed, seed, ticket_digest, ticket_root, result, result_label,
    saved_result, saved_mode)
  select opens_at, closes_at, draws_at, closed_at, saved_at, finished_at, id, game_id, terms_id, saved_by, confirmed_by, network_id,
    ticket_count, status, source, void_cause, booster, saved_booster, counted, commitment, sealed_seed, seed, ticket_digest,
    case when ticket_count is distinct from 0 then ticket_root end, result, result_label, saved_result, saved_mode
  from old_draws order by network_id, id;
drop table old_draws;

alter table draws
  add constraint draws_opening unique (network_id, game_id, opens_at),
  add foreign key (terms_id) references draw_terms (id),
  -- Each step writes a row anew: what is dead is cleared away while it is little beside the rest.
  set (autovacuum_vacuum_scale_factor = 0.02);
-- When each draw that is not finished has its next step.
create index draws_due on draws ((case status when 'open' then closes_at else draws_at end)) where status in ('open', 'closed', 'drawn');
