-- Weekly accounts between an account and its parent (apps/server/src/weeks). All rows are append-only. Each names the
-- parent: after a move, the account begins anew with another one.

-- Outside the ledger: money paid between both never changes credit.
create table week_payments (
  at timestamptz not null,
  amount bigint not null check (amount > 0), -- hundredths
  id uuid not null,
  account_id uuid not null,
  parent_id uuid not null,
  actor_id uuid not null,
  reverses uuid, -- counter-entry of this payment
  network_id integer not null,
  incoming boolean not null, -- true: from the account to its parent
  method text not null check (method in ('cash', 'bank', 'other')),
  reference text not null,
  note text not null,
  primary key (network_id, id),
  unique (network_id, reverses)
);
create index week_payments_account on week_payments (network_id, account_id, id);

-- The latest row of a first day counts from that day on.
create table week_terms (
  at timestamptz not null,
  id uuid not null,
  account_id uuid not null,
  parent_id uuid not null,
  actor_id uuid not null,
  from_day date not null,
  network_id integer not null,
  share smallint check (share between 0 and 10000), -- of the net, in hundredths of a percent; null: credit is owed
  commission_with_week boolean not null,
  primary key (network_id, id)
);
create index week_terms_account on week_terms (network_id, account_id, id);

-- A closed week never changes. The next week begins on the day after `to_day`, with this balance.
create table week_closings (
  at timestamptz not null,
  carried bigint not null, -- balance before the week
  late bigint not null, -- changes of closed weeks since they were closed
  balance bigint not null,
  id uuid not null,
  account_id uuid not null,
  parent_id uuid not null,
  actor_id uuid not null,
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  network_id integer not null,
  share smallint check (share between 0 and 10000),
  commission_with_week boolean not null,
  days jsonb not null, -- figures by day, in hundredths
  note text not null,
  primary key (network_id, account_id, parent_id, from_day),
  unique (network_id, id)
);

create table week_notes (
  at timestamptz not null,
  id uuid not null,
  account_id uuid not null,
  parent_id uuid not null,
  actor_id uuid not null,
  from_day date not null,
  network_id integer not null,
  kind text not null check (kind in ('note', 'dispute', 'answer', 'reminder')), -- an answer ends the dispute before it
  about text not null, -- disputed line; empty: the week
  note text not null,
  primary key (network_id, id)
);
create index week_notes_account on week_notes (network_id, account_id, id);
