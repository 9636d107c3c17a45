-- Double entry: a transfer moves credit from exactly one wallet to exactly one other of the same network.
-- The numbers of the kinds, of wallets and of transfers, are in packages/rules/src/ledger-kinds.ts.
create table wallets (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0020-seals.sql)
  balance bigint not null default 0,
  version bigint not null default 0, -- how many transfers it was in
  staked bigint not null default 0, -- of a player's credit: the version that its last stake left it at
  owner_id uuid not null, -- an account, or the game of a table and an escrow
  network_id integer not null,
  id integer not null, -- counts from 1 within its network
  protection integer not null default 0, -- of a player's credit: how many changes of its protection there were (0016), by which a bet knows what holds
  kind smallint not null,
  primary key (network_id, id),
  unique (network_id, owner_id, kind),
  check (balance >= 0 or kind in (4, 6, 7)) -- table, issuance, boundary
) with (fillfactor = 50); -- each transfer writes two of them anew: where the page has room for that, no index changes

-- Either side of a transfer has the number that it is in the history of its wallet, and the balance after it. Histories are read by
-- these two keys and nothing looks for a transfer's id, so that has no index.
create table transfers (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0020-seals.sql)
  amount bigint not null check (amount > 0),
  from_balance bigint not null,
  to_balance bigint not null,
  from_version bigint not null,
  to_version bigint not null,
  at timestamptz not null,
  id uuid not null,
  actor_id uuid, -- null: the product itself, at a draw
  reference uuid, -- a ticket, a draw, a game, an account, or the other half of what crosses a border
  network_id integer not null,
  from_wallet integer not null,
  to_wallet integer not null,
  kind smallint not null,
  note text not null, -- empty where there is none: a null would cost every row 8 bytes
  primary key (network_id, from_wallet, from_version),
  unique (network_id, to_wallet, to_version),
  check (from_wallet <> to_wallet)
);
-- What is neither a bet (7) nor what a draw pays (9, 10, 11), by its kind: so few beside those that statements could not find them. Bets
-- and draws have no rows in these indexes.
create index transfers_from_kind on transfers (network_id, from_wallet, kind, from_version) where kind not in (7, 9, 10, 11);
create index transfers_to_kind on transfers (network_id, to_wallet, kind, to_version) where kind not in (7, 9, 10, 11);
-- The transfers of a day lie together, as they are only ever added: a few bytes for many pages find them, and cost a bet nothing.
create index transfers_at on transfers using brin (at) with (pages_per_range = 32, autosummarize = on);

-- An Idempotency-Key is honoured for ever: the same key and body answer the first result again.
create table idempotency_keys (
  at timestamptz not null,
  account_id uuid not null,
  network_id integer not null,
  request_hash bytea not null,
  key text not null,
  answer jsonb,
  primary key (network_id, account_id, key)
);
