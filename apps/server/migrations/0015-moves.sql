-- Which installation a database is of: a network that comes from another one is moved, not restored.
insert into pinned_settings (name, value) values ('installation', gen_random_uuid()::text);

-- Until it has come, its admin has nothing: what was put there would be lost.
alter table networks add column arrives boolean not null default false;

-- The times that a network came here from another installation. What crossed its border there was issued here anew, by one transfer of the
-- root that names the move.
create table moves (
  at timestamptz not null,
  taken_at timestamptz not null, -- what was moved is of this time
  amount bigint not null check (amount >= 0), -- what the network held, in hundredths
  border_version bigint not null, -- of the border's wallet in the network: what is up to it crossed the border elsewhere
  id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  told_hash bytea not null, -- told_hash() of what came with it
  username text not null, -- who did it
  primary key (network_id, id)
);

-- What superadmins of other installations wrote of a network that was moved here: rows of their logs, which its accounts, percentages and draws follow
-- from. Whatever counts rows of the root's log or versions of its side of the border is moved down with it, so that what happened elsewhere is at 0 or
-- below, before all that happened here.
create table moved_activity (
  seq bigint not null check (seq <= 0),
  at timestamptz not null,
  id uuid not null,
  account_id uuid,
  move_id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  username text not null,
  subject text not null,
  detail jsonb,
  primary key (network_id, seq)
);
-- Statements name who gave credit there.
create index moved_activity_account on moved_activity (network_id, account_id);

-- SHA-256 of all that came with a move, in its order: it stays the same when the network moves on.
create function told_hash(number int, move uuid) returns bytea language sql stable as $$
  select sha256(convert_to(coalesce(string_agg(
    jsonb_build_array(id, extract(epoch from at), account_id, username, subject, detail)::text, E'\n' order by seq), ''), 'UTF8'))
  from moved_activity where network_id = number and move_id = move
$$;

call audited.make_views();
