-- Double entry: a transfer moves credit from exactly one wallet to exactly one other of the same network.
-- packages/rules/src/ledger-kinds.ts has the numbers of the kinds of wallets and transfers.
create table wallets (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0012-seals.sql)
  balance bigint not null default 0,
  version bigint not null default 0, -- how many transfers it was in
  staked bigint not null default 0, -- of a player's credit: the version that its last stake left it at
  owner_id uuid not null, -- an account, or the game of a table and an escrow
  network_id integer not null,
  id integer not null, -- counts from 1 within its network
  protection integer not null default 0, -- of a player's credit: how many changes of protection the player has had (0007-protection.sql)
  carried integer not null default 0, -- how many settlements have changed the remainder
  kind smallint not null,
  -- Of a commission wallet: what is earned and not paid yet, in 1/10,000 of a hundredth (hundredths of a percent × hundredths).
  remainder smallint not null default 0 check (remainder between 0 and 9999),
  primary key (network_id, id),
  unique (network_id, owner_id, kind),
  check (balance >= 0 or kind in (4, 6, 7)) -- table, issuance, boundary
) with (fillfactor = 50); -- each transfer writes two of them anew: where the page has room for that, no index changes

-- Each side of a transfer has its number in the history of its wallet, and the balance after it. Histories are read by these two keys;
-- nothing looks up a transfer by its id, so that has no index.
create table transfers (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0012-seals.sql)
  amount bigint not null check (amount > 0),
  from_balance bigint not null,
  to_balance bigint not null,
  from_version bigint not null,
  to_version bigint not null,
  at timestamptz not null,
  id uuid not null,
  actor_id uuid, -- null: the product itself, at a draw
  reference uuid, -- a ticket, a draw, a game, an account, or the other half of a transfer across a border
  network_id integer not null,
  from_wallet integer not null,
  to_wallet integer not null,
  kind smallint not null,
  note text not null, -- empty where there is none: a null would cost every row 8 bytes
  primary key (network_id, from_wallet, from_version),
  unique (network_id, to_wallet, to_version),
  check (from_wallet <> to_wallet)
);
-- All transfers but bets (7) and what draws pay (9, 10, 11): beside those, the others are too few to find otherwise.
create index transfers_from_kind on transfers (network_id, from_wallet, kind, from_version) where kind not in (7, 9, 10, 11);
create index transfers_to_kind on transfers (network_id, to_wallet, kind, to_version) where kind not in (7, 9, 10, 11);
-- Transfers are only added, so those of a day lie together: BRIN takes a few bytes for many pages, and costs a bet nothing.
create index transfers_at on transfers using brin (at) with (pages_per_range = 32, autosummarize = on);

-- Idempotency-Keys never expire: the same key and body return the first result again.
create table idempotency_keys (
  at timestamptz not null,
  account_id uuid not null,
  network_id integer not null,
  request_hash bytea not null,
  key text not null,
  answer jsonb,
  primary key (network_id, account_id, key)
);

-- What each network held at the end of each day of the server's time zone, by holder. Network 0, the root, has a row for every day.
-- `outside` is the other side of transfers across the border.
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

-- Findings of audits: `whole` by `npm run audit`, `daily` by the server.
create table audit_verdicts (
  at timestamptz not null,
  id uuid primary key,
  checks integer not null,
  problems integer not null,
  scope text not null check (scope in ('whole', 'daily')),
  finding text,
  check ((problems = 0) = (finding is null))
);
