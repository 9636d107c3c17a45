-- Double entry: a transfer has exactly two wallets of one network. Kinds are in
-- packages/rules/src/records/ledger-kinds.ts.
create table wallets (
  written_by xid8 not null default pg_current_xact_id(), -- see 0020-seals.sql
  balance bigint not null default 0,
  version bigint not null default 0, -- number of its transfers
  staked bigint not null default 0, -- player credit: version after the last stake
  owner_id uuid not null, -- account, or game for table and escrow
  network_id integer not null,
  id integer not null, -- per network from 1
  protection integer not null default 0, -- player credit: number of protection changes (0010-protection.sql)
  carried integer not null default 0, -- number of remainder changes
  kind smallint not null,
  -- Commission wallets: unpaid fraction in 1/10,000 of a hundredth (hundredths of a percent × hundredths).
  remainder smallint not null default 0 check (remainder between 0 and 9999),
  primary key (network_id, id),
  unique (network_id, owner_id, kind),
  check (balance >= 0 or kind in (4, 6, 7)) -- table, issuance, boundary
) with (fillfactor = 50); -- transfers update two wallets; spare page room keeps that off the indexes (HOT)

-- Each side has the wallet's version and balance afterwards. Both keys serve histories.
create table transfers (
  written_by xid8 not null default pg_current_xact_id(), -- see 0020-seals.sql
  amount bigint not null check (amount > 0),
  from_balance bigint not null,
  to_balance bigint not null,
  from_version bigint not null,
  to_version bigint not null,
  at timestamptz not null,
  id uuid not null,
  actor_id uuid, -- null: the product, at a draw
  reference uuid, -- ticket, draw, game, account, other half across the boundary, or the transfer that this one reverses
  network_id integer not null,
  from_wallet integer not null,
  to_wallet integer not null,
  kind smallint not null,
  note text not null, -- empty instead of null, which would cost 8 bytes per row
  primary key (network_id, from_wallet, from_version),
  unique (network_id, to_wallet, to_version),
  check (from_wallet <> to_wallet)
);
-- Stakes (7) and draw payouts (9, 10, 11) outnumber the rest.
create index transfers_from_kind on transfers (network_id, from_wallet, kind, from_version) where kind not in (7, 9, 10, 11);
create index transfers_to_kind on transfers (network_id, to_wallet, kind, to_version) where kind not in (7, 9, 10, 11);
-- Stakes and payouts are found by the time in their id.
create index transfers_id on transfers (network_id, id) where kind not in (7, 9, 10, 11);
-- One reversal per transfer. In the root network, a restore may undo the other half of a reversal.
create unique index transfers_reversal on transfers (network_id, reference) where kind in (3, 4) and network_id <> 0;
-- Append-only, so time correlates with position: BRIN is tiny and free for bets.
create index transfers_at on transfers using brin (at) with (pages_per_range = 32, autosummarize = on);

-- Never expires: same key and body, same response.
create table idempotency_keys (
  at timestamptz not null,
  account_id uuid not null,
  network_id integer not null,
  request_hash bytea not null,
  key text not null,
  answer jsonb,
  primary key (network_id, account_id, key)
);

-- By network and day of the server's time zone. Network 0 has every day. `outside` balances boundary transfers.
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

-- `whole`: `npm run audit`; `daily`: the server.
create table audit_verdicts (
  at timestamptz not null,
  id uuid primary key,
  checks integer not null,
  problems integer not null,
  scope text not null check (scope in ('whole', 'daily')),
  finding text,
  check ((problems = 0) = (finding is null))
);
