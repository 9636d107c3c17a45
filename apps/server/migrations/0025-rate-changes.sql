-- Settlement uses the commission rates of a draw's opening, so rates have a history: one row per change. An account without a row has
-- had one rate ever. The rate at an opening is `before` of the account's first later change, else the account's rate of today.
-- Rates are in hundredths of a percent.
create table rate_changes (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0020-seals.sql)
  at timestamptz not null,
  account_id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  nth integer not null, -- counts the changes of the network from 1, in the order of their commits
  before integer not null check (before between 0 and 10000),
  after integer not null check (after between 0 and 10000 and after <> before),
  primary key (network_id, account_id, nth),
  unique (network_id, nth)
);
-- How many changes the network had had when the draw opened: its rates are those after so many. A number is exact where times are not:
-- it depends on no clock, and a change that commits after the opening has a higher one.
alter table draws add column rate_changes integer not null default 0;

call keep_written('rate_changes', '');
call audited.make_views();
