-- For programs that bet for players or call what a staff login may call; only hashes are stored. Counts the current
-- minute's tickets. Each batch locks its keys, so limits are exact and ended keys cannot bet.
create table api_keys (
  made_at timestamptz not null,
  ended_at timestamptz, -- null: usable
  expires_at timestamptz, -- null: never
  last_used_at timestamptz,
  minute_at timestamptz, -- minute of minute_tickets
  stake_per_day bigint check (stake_per_day > 0), -- hundredths; null: unlimited
  credit_per_day bigint check (credit_per_day > 0), -- most credit to give, hundredths; null: none
  id uuid not null, -- used in log and API
  made_by uuid not null,
  network_id integer not null,
  tickets_per_minute integer check (tickets_per_minute > 0), -- null: unlimited
  minute_tickets integer not null default 0,
  number smallint not null check (number > 0), -- used in tickets
  end_is_kept boolean not null default false, -- kept by a restore; the log predates it
  key_hash bytea not null, -- SHA-256
  name text not null,
  ending text not null, -- last characters, for recognition
  addresses cidr[] not null, -- allowed networks; empty: all
  permissions text[] not null default '{}',
  primary key (network_id, number),
  constraint api_keys_id unique (network_id, id),
  constraint api_keys_hash unique (network_id, key_hash)
);

-- By day of the time zone.
create table api_key_days (
  tickets bigint not null,
  stake bigint not null,
  credit bigint not null default 0, -- given
  day date not null,
  network_id integer not null,
  number smallint not null,
  primary key (network_id, number, day)
) with (fillfactor = 50);
