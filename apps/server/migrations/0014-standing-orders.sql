-- Between a parent (the giver) and an account directly below (apps/server/src/standing-orders). Runs are in the
-- activity log; `next_at` is the next slot, and moves on in the transaction of its run.
create table standing_orders (
  at timestamptz not null,
  amount bigint not null check (amount > 0), -- hundredths: credit given, credit after a refill, or the floor
  next_at timestamptz, -- null: ended, or a floor
  last_at timestamptz, -- of the last run
  last_amount bigint, -- credit it moved, in hundredths
  stopped_at timestamptz, -- floor: selling has stopped since
  ended_at timestamptz,
  id uuid not null,
  account_id uuid not null,
  giver_id uuid not null,
  ended_by uuid, -- null if the order ended by itself
  network_id integer not null,
  login smallint not null, -- of the giver
  kind text not null check (kind in ('temporary', 'refill', 'floor')),
  clock text, -- refill: clock time
  weekdays smallint[], -- refill
  measure text check (measure in ('credit', 'owed')), -- floor
  skipped text, -- why the last run moved nothing
  ending text, -- how it ended
  primary key (network_id, id),
  check ((kind = 'refill') = (clock is not null and weekdays is not null)),
  check ((kind = 'floor') = (measure is not null)),
  check ((kind <> 'floor' and ended_at is null) = (next_at is not null))
);
create index standing_orders_due on standing_orders (next_at) where next_at is not null;
create index standing_orders_account on standing_orders (network_id, account_id, id);
create index standing_orders_floors on standing_orders (network_id, account_id) where kind = 'floor' and ended_at is null;
