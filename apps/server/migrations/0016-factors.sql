-- Login 0 is the account's own. `secret`: of an app, encrypted with a key derived from the seed key; of recovery codes,
-- SHA-256 hashes of the unused ones, 32 bytes each. Null: withheld from a backup.
create table factors (
  made_at timestamptz not null,
  last_used_at timestamptz,
  last_step bigint not null default 0, -- time step of the last code of an app; signatures that a passkey has counted
  account_id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
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

call keep_written('factors', 'network_id, account_id, login, number, made_at, kind, name, host, secret, credential, '
  'public_key');
call note_changes('factors', 'network_id account_id login number', 'last_used_at last_step');
create trigger factors_removed after delete on factors for each row
  execute function note_removal('network_id', 'account_id', 'login', 'number');

-- Roles of a network that need a second factor, on its admin.
alter table accounts add column factor_roles text[] not null default '{}';
alter table staged_accounts add column factor_roles text[] not null default '{}';
create trigger accounts_factor_roles_changed before update on accounts for each row
  when (old.factor_roles is distinct from new.factor_roles) execute function mark_written();
call note_changes('accounts', 'id', 'network_id last_login_at chain');

call audited.make_views();
