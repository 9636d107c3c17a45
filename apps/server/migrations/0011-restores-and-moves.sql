-- Work on a whole network, one at a time: a backup, a restore, a clearing. The row is the latest of each network, by its admin: a restore
-- changes the network's number. Whoever works holds an advisory lock on its connection, so a killed server's work is known as such.
create table network_work (
  started_at timestamptz not null,
  finished_at timestamptz,
  reopened_at timestamptz, -- of a restore: when the books opened again. Deadlines of draws count from then.
  done bigint not null default 0, -- of `total`, in the unit of the step
  total bigint not null default 0,
  admin_id uuid primary key references accounts (id),
  closed_network int, -- whose books are closed: the schedule skips its draws
  kind text not null,
  step text not null default '',
  username text not null, -- who began it
  failure text,
  answer jsonb -- the result
);
create index network_work_closed on network_work (closed_network) where closed_network is not null;

-- Networks that stand beside the live ones: `staged`, which a backup is loaded into, and `replaced`, whose place it took, kept for a day so
-- that it can be brought back. Their rows are in all tables, under numbers that `networks` lacks.
create table networks_beside (
  since timestamptz not null,
  root_log bigint not null, -- the newest row of the root's log at that time
  of_admin uuid not null, -- the admin whose network it will be, or was
  id integer primary key, -- of the same sequence as those of networks
  wallets integer not null,
  state text not null check (state in ('staged', 'replaced'))
);

-- Their accounts: ids and names are also those of live accounts.
create table staged_accounts (
  like accounts including defaults,
  primary key (network_id, id)
);

-- The restores of a network as it stands: part of the network, and unknown to an older backup. A restore undoes what the root wrote of
-- the network since the backup: rows of its log, and versions of its side of the border. Credit that crossed the border since is made up
-- for by one transfer, which names the restore.
create table restores (
  at timestamptz not null,
  taken_at timestamptz not null, -- the time of the backup
  amount bigint not null, -- what the root gave since, in hundredths; below zero: took
  root_log_from bigint not null, -- exclusive
  root_log_until bigint not null,
  root_version_from bigint not null,
  root_version_until bigint not null,
  id uuid not null,
  network_id integer not null,
  username text not null, -- who did it
  primary key (network_id, id)
);
-- Rows of the root's log that a restore of a network has undone.
create table undone_activity (
  seq bigint not null, -- of the root
  restore_id uuid not null,
  network_id integer not null,
  primary key (network_id, seq)
);

-- Tombstones: draws that a restore has undone, as they were then, and their tickets. They count for nothing, and stay as long as the network
-- does: a restore does not exchange them. A restore to a later backup, or an undo, that brings a draw back removes its tombstone. A draw
-- that was open in the backup is there beside its tombstone: void, with the stakes of its tickets returned.
create table undone_draws (
  undone_at timestamptz not null,
  taken_at timestamptz not null, -- the time of the backup that was restored
  opens_at timestamptz not null,
  closes_at timestamptz not null,
  draws_at timestamptz not null,
  closed_at timestamptz,
  finished_at timestamptz,
  id uuid not null,
  game_id uuid not null,
  terms_id uuid not null references draw_terms (id),
  network_id integer not null,
  ticket_count integer,
  status draw_status not null,
  source result_source,
  void_cause void_cause,
  booster smallint,
  tickets_cleared boolean not null,
  commitment bytea not null,
  seed bytea, -- null if it was not public
  beacon_signatures bytea[],
  ticket_root bytea,
  result json,
  result_label text,
  primary key (network_id, id)
);

create table undone_tickets (
  stake bigint not null,
  win bigint, -- null if it was not settled
  placed_at timestamptz not null,
  claimed_at timestamptz, -- when the win was paid
  id uuid not null,
  draw_id uuid not null,
  account_id uuid not null,
  request uuid not null,
  request_hash uuid not null,
  network_id integer not null,
  digest bytea not null,
  lines text not null,
  primary key (network_id, id)
);
create index undone_tickets_tree on undone_tickets (network_id, draw_id, id);
create index undone_tickets_request on undone_tickets (network_id, request);
create index undone_tickets_account on undone_tickets (network_id, account_id, id);

-- Tombstones of clearings that a restore undid: the clearings, their draws by id, and their tickets by request.
create table undone_clearings (
  started_at timestamptz not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  removed bigint not null,
  id uuid not null,
  network_id integer not null,
  model text not null,
  primary key (network_id, id, model)
);

create table undone_cleared (
  id uuid not null,
  network_id integer not null,
  primary key (network_id, id)
);

-- Arrivals of a network from another installation. What crossed its border there was issued anew here, by one transfer of the root that
-- names the move.
create table moves (
  at timestamptz not null,
  taken_at timestamptz not null, -- the time of what was moved
  amount bigint not null check (amount >= 0), -- what the network held, in hundredths
  border_version bigint not null, -- of the border's wallet in the network: versions up to it crossed the border elsewhere
  id uuid not null,
  network_id integer not null,
  told_hash bytea not null, -- told_hash() of the rows that came with it
  username text not null, -- who did it
  primary key (network_id, id)
);

-- Rows of the logs of superadmins of other installations about a network that was moved here. Its accounts, percentages and draws follow from
-- them. Rows of the root's log and versions of its side of the border are numbered from 0 downward, before all rows of this installation.
create table moved_activity (
  seq bigint not null check (seq <= 0),
  at timestamptz not null,
  id uuid not null,
  account_id uuid,
  move_id uuid not null,
  network_id integer not null,
  username text not null,
  subject text not null,
  detail jsonb,
  primary key (network_id, seq)
);
-- For statements, which name who gave credit there.
create index moved_activity_account on moved_activity (network_id, account_id);

-- SHA-256 of all rows that came with a move, in order: it stays the same when the network moves on.
create function told_hash(number int, move uuid) returns bytea language sql stable as $$
  select sha256(convert_to(coalesce(string_agg(
    jsonb_build_array(id, extract(epoch from at), account_id, username, subject, detail)::text, E'\n' order by seq), ''), 'UTF8'))
  from moved_activity where network_id = number and move_id = move
$$;

-- The role that serves may add checkpoints of clearing and tombstones only to a network that stands beside.
do $$
declare t text;
begin
  foreach t in array array['wallet_gaps', 'activity_gaps', 'cleared_draws', 'cleared_results', 'cleared_requests', 'cleared_days', 'cleared_marks',
                           'cleared_remainders', 'undone_draws', 'undone_tickets', 'undone_clearings', 'undone_cleared'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy is_read on %I for select using (true)', t);
    execute format('create policy is_beside on %I for insert with check (network_id in (select id from networks_beside))', t);
  end loop;
  -- It may also delete tombstones there.
  foreach t in array array['undone_draws', 'undone_tickets', 'undone_clearings', 'undone_cleared'] loop
    execute format('create policy goes_beside on %I for delete using (network_id in (select id from networks_beside))', t);
  end loop;
end $$;

-- The number of the next network. The role that serves may use the sequence of `networks` only through this function.
create function next_network() returns int security definer language sql set search_path = public, pg_temp as
  $$ select nextval('networks_id_seq')::int $$;

-- Deletes up to `most` rows of a network that stands beside: the role that serves deletes nothing else of the record. Returns how many.
-- The last call, which finds none, deletes the network.
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

-- Updates statistics after a network was loaded, which only the owner may: with a plan from stale ones, a statement over all tickets may
-- not end.
create function analyze_beside() returns void security definer language plpgsql set search_path = public, pg_temp as $$
declare t text;
begin
  for t in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'network_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1
  loop
    execute format('analyze %I', t);
  end loop;
end $$;

-- Puts a network beside, and another can take its place. Requires a copy of all its accounts in `staged_accounts`.
create function put_beside(number int, at timestamptz) returns void security definer language plpgsql set search_path = public, pg_temp as $$
declare gone uuid[];
begin
  select array_agg(id) into gone from accounts where network_id = number;
  -- Row by row: there are no statistics of copies made just now.
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

-- Every command locks its network (superadmins' the root) from its start, shared, by 3407519. A network that takes the place of another waits
-- for running commands; commands that waited find the old one gone. Returns whether the network exists.
create function hold_network(number int) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(3407519, number);
  -- A separate statement sees what was committed while it waited.
  return number = 0 or exists (select from networks where id = number);
end $$;
create function close_network(number int) returns void language sql as
  $$ select pg_advisory_xact_lock(3407519, number) $$;

-- While a network is restored, its books are closed. Every change takes the shared lock (3407520, number of the network), and is refused if
-- it can't have it at once. A restore waits for running changes, then holds the lock exclusively on a connection of its own until its end.
-- A server that dies loses the connection and with it the lock: the books are open again.
create function enter_books(number int) returns boolean language sql as
  $$ select pg_try_advisory_xact_lock_shared(3407520, number) $$;

-- Copies the hashes of API keys from the live network to one beside it: a downloaded backup has none. The role that serves can't change
-- hashes otherwise.
create function keep_key_hashes(stands_beside integer, live integer) returns void security definer language sql set search_path = public, pg_temp as $$
  update api_keys k set key_hash = l.key_hash from api_keys l
  where k.network_id = stands_beside and l.network_id = live and l.id = k.id and k.key_hash <> l.key_hash
    and exists (select from networks_beside b where b.id = stands_beside)
$$;
