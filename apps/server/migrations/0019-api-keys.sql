-- Keys by which programs of a network bet for its players. Only the hash of a key is stored. Its row counts the tickets of the running minute. Every batch with
-- bets of a key locks that row, so its limits are exact and an ended key places no more bets.
create table api_keys (
  made_at timestamptz not null,
  ended_at timestamptz, -- null: it can be used
  last_used_at timestamptz,
  minute_at timestamptz, -- the minute of minute_tickets
  stake_per_day bigint check (stake_per_day > 0), -- in hundredths; null: as much as there is
  id uuid not null, -- by which the log and the calls name it
  made_by uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  tickets_per_minute integer check (tickets_per_minute > 0), -- null: as many as come
  minute_tickets integer not null default 0,
  number smallint not null check (number > 0), -- by which tickets name it
  end_is_kept boolean not null default false, -- by a restore, whose log is from before it ended
  key_hash bytea not null, -- SHA-256
  name text not null,
  ending text not null, -- how the key ends, for people to tell it by
  addresses cidr[] not null, -- from where it may be used; empty: from everywhere
  primary key (network_id, number),
  constraint api_keys_id unique (network_id, id),
  constraint api_keys_hash unique (network_id, key_hash)
);

-- What was laid by each key on each day of the time zone.
create table api_key_days (
  tickets bigint not null,
  stake bigint not null,
  day date not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  number smallint not null,
  primary key (network_id, number, day)
) with (fillfactor = 50);

-- Gives the keys of what stands beside a network the hashes that they have in it: a backup that was downloaded has none. Whoever serves changes no hash otherwise.
create function keep_key_hashes(stands_beside integer, live integer) returns void security definer language sql set search_path = public, pg_temp as $$
  update api_keys k set key_hash = l.key_hash from api_keys l
  where k.network_id = stands_beside and l.network_id = live and l.id = k.id and k.key_hash <> l.key_hash
    and exists (select from networks_beside b where b.id = stands_beside)
$$;

call audited.make_views();
