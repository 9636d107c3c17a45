-- What stands beside the networks: one that a backup is loaded into, `staged`, and one whose place it has taken, `replaced`, for a day, so
-- that it can be brought back. Rows of all tables have their numbers, which `networks` has not: whatever goes by that sees none of them.
create table networks_beside (
  since timestamptz not null,
  root_log bigint not null, -- how far the log of the root had come when it was so
  of_admin uuid not null, -- whose it is to be, or was
  id integer primary key, -- of the same sequence as those of networks
  wallets integer not null,
  state text not null check (state in ('staged', 'replaced'))
);

-- Their accounts: ids and names are those of accounts that are there.
create table staged_accounts (
  like accounts,
  primary key (network_id, id)
);

-- The restores that a network as it stands has had: they are part of it, and a backup that is older than one knows nothing of it. What the
-- root wrote of the network in between was undone by it: of its log up to a row, of its side of the border up to a version. Credit that crossed
-- the border in between is made up for by one transfer, which names the restore.
create table restores (
  at timestamptz not null,
  taken_at timestamptz not null, -- what was brought back is of this time
  amount bigint not null, -- what the root gave in between and the network did not have, in hundredths; below zero: took
  root_log_from bigint not null, -- what is above this one, up to the next
  root_log_until bigint not null,
  root_version_from bigint not null,
  root_version_until bigint not null,
  id uuid not null,
  network_id integer not null,
  username text not null, -- who did it
  primary key (network_id, id)
);
-- Which rows of the root's log a restore of a network has undone.
create table undone_activity (
  seq bigint not null, -- of the root
  restore_id uuid not null,
  network_id integer not null,
  primary key (network_id, seq)
);

-- What is COPYed into a table of networks is of the network that is set for the transaction; without one, nothing can leave the number out.
do $$
declare t text;
begin
  for t in select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'network_id' and table_name in (select tablename from pg_tables where schemaname = 'public')
  loop
    execute format('alter table %I alter column network_id set default nullif(current_setting(''drawhouse.network'', true), '''')::int', t);
  end loop;
end $$;

-- What the auditor reads where something stands beside: the tables without its rows. While a restore is tried (`drawhouse.trial` has the
-- numbers of the staged network and of the one whose place it is to take) with what would be, and without what would not; with a 1 behind these, without all
-- other networks but the root's.
create schema audited;
create function audited.trial(nth int) returns int stable language sql as
  $$ select nullif(split_part(coalesce(current_setting('drawhouse.trial', true), ''), ':', nth), '')::int $$;
create function audited.hidden() returns int[] stable language sql as
  $$ select array(select id from public.networks_beside where id is distinct from audited.trial(1) union all
                  select audited.trial(2) where audited.trial(2) is not null union all
                  select id from public.networks where audited.trial(3) = 1 and id <> 0) $$;

-- A migration that adds a table of networks, or a column to one, calls this again. What is hidden is left out by `nullif(… , true) is not null`, which PostgreSQL
-- plans as next to all rows; by `<> all` it takes a thousandth of the rows of one large network for what is left, and looks for the rest row by row.
create procedure audited.make_views() language plpgsql as $$
declare t text;
begin
  for t in select viewname from pg_views where schemaname = 'audited' loop
    execute format('drop view if exists audited.%I cascade', t);
  end loop;
  for t in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'network_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in ('accounts', 'staged_accounts') order by 1
  loop
    execute format('create view audited.%I as select * from public.%1$I where nullif(network_id = any (coalesce((select audited.hidden()), ''{}'')), true) is not null', t);
  end loop;
  create view audited.networks as
    select admin_id, id, wallets from public.networks where nullif(id = any (coalesce((select audited.hidden()), '{}')), true) is not null
    union all select of_admin, id, wallets from public.networks_beside where id = (select audited.trial(1));
  create view audited.accounts as
    select * from public.accounts where nullif(network_id = any (coalesce((select audited.hidden()), '{}')), true) is not null
    union all select * from public.staged_accounts where network_id = (select audited.trial(1));
  -- The rows of all logs that no restore has undone, and those of the roots of other installations, of networks that were moved here.
  create view audited.standing_activity as
    select network_id, seq, id, at, account_id, subject, detail from audited.activity a
    where not (a.network_id = 0 and a.seq in (select seq from audited.undone_activity))
    union all select 0, seq, id, at, account_id, subject, detail from audited.moved_activity;
end $$;

-- What clearing has left in the place of the record, those that serve may add to what stands beside, and nowhere else.
do $$
declare t text;
begin
  foreach t in array array['wallet_gaps', 'activity_gaps', 'cleared_draws', 'cleared_results', 'cleared_requests', 'cleared_days', 'cleared_marks'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy is_read on %I for select using (true)', t);
    execute format('create policy is_beside on %I for insert with check (network_id in (select id from networks_beside))', t);
  end loop;
end $$;

-- The number of the next network, which those that serve take of the sequence of `networks` by this alone.
create function next_network() returns int security definer language sql set search_path = public, pg_temp as
  $$ select nextval('networks_id_seq')::int $$;

-- Those that serve delete nothing of the record but what stands beside, so many rows at most. Gives how many it was; with the last goes the network.
create function delete_beside(number int, most int) returns bigint security definer language plpgsql set search_path = public, pg_temp as $$
declare t text; gone bigint; sum bigint := 0;
begin
  perform from networks_beside where id = number for update;
  if not found then raise exception 'no network % stands beside', number; end if;
  for t in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'network_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'accounts' order by 1
  loop
    execute format('delete from %I where ctid = any(array(select ctid from %1$I where network_id = $1 limit $2))', t) using number, most - sum;
    get diagnostics gone = row_count;
    sum := sum + gone;
    exit when sum >= most;
  end loop;
  if sum = 0 then delete from networks_beside where id = number; end if;
  return sum;
end $$;

-- Lets PostgreSQL know at once what was loaded beside, which only its owner may: planned by what it took the tables for before, a statement
-- over all tickets may have no end.
create function analyze_beside() returns void security definer language plpgsql set search_path = public, pg_temp as $$
declare t text;
begin
  for t in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'network_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1
  loop
    execute format('analyze %I', t);
  end loop;
end $$;

-- Puts a network beside whose place another takes, with the accounts that only it has, of all of which `staged_accounts` has a copy.
create function put_beside(number int, at timestamptz) returns void security definer language plpgsql set search_path = public, pg_temp as $$
declare gone uuid[];
begin
  select array_agg(id) into gone from accounts where network_id = number;
  -- Each by itself, as no statistics tell of the copies that were made just now.
  if exists (select from unnest(gone) as kept (id) where (select s.id from staged_accounts s where s.network_id = number and s.id = kept.id) is null) then
    raise exception 'not all accounts of network % are kept', number;
  end if;
  delete from known_addresses where account_id = any(gone);
  delete from known_devices where account_id = any(gone);
  insert into past_sessions (began_at, ended_at, account_id, token_hash)
    select created_at, last_used_at, account_id, token_hash from sessions where account_id = any(gone) on conflict do nothing;
  delete from sessions where account_id = any(gone);
  delete from replaced_sessions where account_id = any(gone);
  delete from accounts where network_id = number;
  insert into networks_beside (since, root_log, of_admin, id, wallets, state)
    select at, coalesce((select seq from activity_heads where network_id = 0), 0), admin_id, id, wallets, 'replaced' from networks where id = number;
  delete from networks where id = number;
end $$;

-- Commands of people hold the network that they are given in, superadmins' the root, from their beginning on (3407519 is nobody else's): what takes
-- the place of a network waits for those that are under way, and those that come meanwhile find it gone. Gives whether it is there.
create function hold_network(number int) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(3407519, number);
  -- A statement of its own, which sees what was committed while it waited.
  return number = 0 or exists (select from networks where id = number);
end $$;
create function close_network(number int) returns void language sql as
  $$ select pg_advisory_xact_lock(3407519, number) $$;
