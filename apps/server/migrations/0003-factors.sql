-- Login 0 is the account's own. `secret`: of an app, encrypted with a key derived from the seed key; of recovery codes,
-- SHA-256 hashes of the unused ones, 32 bytes each. Null: withheld from a backup.
create table factors (
  made_at timestamptz not null,
  last_used_at timestamptz,
  last_step bigint not null default 0, -- time step of the last code of an app; signatures that a passkey has counted
  account_id uuid not null,
  network_id integer not null,
  login smallint not null default 0,
  number smallint not null check (number > 0),
  kind text not null check (kind in ('app', 'passkey', 'codes')),
  name text not null,
  host text, -- of a passkey: where it works
  secret bytea,
  credential bytea, -- of a passkey
  public_key bytea, -- COSE
  primary key (network_id, account_id, login, number)
);
