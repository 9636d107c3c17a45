-- What each network held at the end of each day of the server's time zone, by whose it was: the sums of its transfers up to then. Network 0
-- is the root, which has a row for every day that is summed. `outside` is the other side of what crossed the border.
create table liability_days (
  player_credit bigint not null,
  staff_credit bigint not null,
  escrow bigint not null,
  winnings bigint not null,
  commission bigint not null,
  tables bigint not null,
  outside bigint not null,
  network_id integer not null,
  day date not null,
  primary key (network_id, day),
  check (player_credit + staff_credit + escrow + winnings + commission + tables + outside = 0)
);

-- What an audit found: `whole` by `npm run audit`, `daily` by the server itself.
create table audit_verdicts (
  at timestamptz not null,
  id uuid primary key,
  checks integer not null,
  problems integer not null,
  scope text not null check (scope in ('whole', 'daily')),
  finding text,
  check ((problems = 0) = (finding is null))
);
