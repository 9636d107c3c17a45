-- Double entry: a transfer moves credit from exactly one wallet to exactly one other of the same network.
-- Amounts are hundredths of a point.
create table wallets (
  network_id uuid not null,
  id uuid not null,
  owner_id uuid not null,
  kind text not null check (kind in ('credit', 'commission', 'winnings', 'table', 'escrow', 'issuance', 'boundary')),
  game_id uuid,
  balance bigint not null default 0,
  primary key (network_id, id),
  check (balance >= 0 or kind in ('issuance', 'boundary', 'table'))
) with (fillfactor = 50);
create unique index wallets_owner on wallets (network_id, owner_id, kind, game_id) nulls not distinct;

create table transfers (
  network_id uuid not null,
  id uuid not null,
  debit_wallet uuid not null,
  credit_wallet uuid not null,
  amount bigint not null check (amount > 0),
  debit_balance bigint not null,
  credit_balance bigint not null,
  kind text not null,
  actor_id uuid,
  reference uuid,
  note text,
  at timestamptz not null,
  primary key (network_id, id),
  check (debit_wallet <> credit_wallet)
);
create index transfers_debit on transfers (network_id, debit_wallet, id);
create index transfers_credit on transfers (network_id, credit_wallet, id);

-- An Idempotency-Key is honoured for ever: the same key and body answer the first result again.
create table idempotency_keys (
  network_id uuid not null,
  account_id uuid not null,
  key text not null,
  request_hash bytea not null,
  answer jsonb,
  at timestamptz not null,
  primary key (network_id, account_id, key)
);
