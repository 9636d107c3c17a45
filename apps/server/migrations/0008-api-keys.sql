-- Keys by which programs of a network bet for its players. Only the hash of a key is stored. Its row counts the tickets of the running minute. Every batch with
-- bets of a key locks that row, so its limits are exact and an ended key places no more bets.
create table api_keys (
  made_at timestamptz not null,
  ended_at timestamptz, -- null: it can be used
  last_used_at timestamptz,
  minute_at timestamptz, -- the minute of minute_tickets
  stake_per_day bigint check (stake_per_day > 0), -- in hundredths; null: no limit
  id uuid not null, -- names it in the log and the calls
  made_by uuid not null,
  network_id integer not null,
  tickets_per_minute integer check (tickets_per_minute > 0), -- null: no limit
  minute_tickets integer not null default 0,
  number smallint not null check (number > 0), -- names it in tickets
  end_is_kept boolean not null default false, -- kept by a restore, whose log is from before it ended
  key_hash bytea not null, -- SHA-256
  name text not null,
  ending text not null, -- the last characters of the key, for people to tell it by
  addresses cidr[] not null, -- from where it may be used; empty: from everywhere
  primary key (network_id, number),
  constraint api_keys_id unique (network_id, id),
  constraint api_keys_hash unique (network_id, key_hash)
);

-- Tickets and stakes of each key by day of the time zone.
create table api_key_days (
  tickets bigint not null,
  stake bigint not null,
  day date not null,
  network_id integer not null,
  number smallint not null,
  primary key (network_id, number, day)
) with (fillfactor = 50);
