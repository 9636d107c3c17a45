-- Exclusive work on a network: backup, restore or clearing. Keeps the latest per admin, as restores change the number.
-- The worker's connection holds an advisory lock, so work of killed servers is recognizable.
create table network_work (
  started_at timestamptz not null,
  finished_at timestamptz,
  reopened_at timestamptz, -- restores: books reopened; draw deadlines count from then
  done bigint not null default 0, -- of `total`, in units of the step
  total bigint not null default 0,
  admin_id uuid primary key references accounts (id),
  closed_network int, -- closed books: the schedule skips its draws
  kind text not null,
  step text not null default '',
  username text not null, -- initiator
  failure text,
  answer jsonb -- result
);
create index network_work_closed on network_work (closed_network) where closed_network is not null;

-- `staged`: loaded from a backup; `replaced`: kept for a day for undo. Their rows are in all tables, under numbers
-- missing from `networks`.
create table staged_networks (
  since timestamptz not null,
  root_log bigint not null, -- newest root log row then
  of_admin uuid not null, -- future or former owner
  id integer primary key, -- same sequence as `networks`
  wallets integer not null,
  state text not null check (state in ('staged', 'replaced'))
);

-- Ids and names duplicate live ones.
create table staged_accounts (
  like accounts including defaults,
  primary key (network_id, id)
);

-- Each restore undoes later root log rows and boundary versions; one transfer compensates for credit that crossed
-- meanwhile.
create table restores (
  at timestamptz not null,
  taken_at timestamptz not null, -- backup time
  amount bigint not null, -- credit given by the root since, hundredths; negative: taken
  root_log_from bigint not null, -- exclusive
  root_log_until bigint not null,
  root_version_from bigint not null,
  root_version_until bigint not null,
  id uuid not null,
  network_id integer not null,
  username text not null, -- initiator
  primary key (network_id, id)
);
create table undone_activity (
  seq bigint not null, -- root log
  restore_id uuid not null,
  network_id integer not null,
  primary key (network_id, seq)
);

-- Tombstones count for nothing and outlast later restores. Restoring a later backup, or an undo, that brings a draw
-- back removes its tombstone. A draw open in the backup has both: void with refunded stakes, and a tombstone.
create table undone_draws (
  undone_at timestamptz not null,
  taken_at timestamptz not null, -- time of the restored backup
  opens_at timestamptz not null,
  closes_at timestamptz not null,
  draws_at timestamptz not null,
  closed_at timestamptz,
  finished_at timestamptz,
  clock_number bigint,
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
  seed bytea, -- null: unpublished
  beacon_signatures bytea[],
  ticket_root bytea,
  outside text,
  result json,
  result_label text,
  primary key (network_id, id)
);

create table undone_tickets (
  stake bigint not null,
  win bigint, -- null: not settled
  placed_at timestamptz not null,
  claimed_at timestamptz, -- payment time
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

-- Tombstones of clearings with their draws and requests.
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

-- Arrivals from other installations. One root transfer issues the credit that had crossed the boundary there.
create table moves (
  at timestamptz not null,
  taken_at timestamptz not null, -- state moved
  amount bigint not null check (amount >= 0), -- network's holdings, hundredths
  border_version bigint not null, -- boundary versions up to here crossed elsewhere
  id uuid not null,
  network_id integer not null,
  told_hash bytea not null, -- told_hash() of accompanying rows
  username text not null, -- initiator
  primary key (network_id, id)
);

-- Foreign superadmins' log rows about a moved network, from which accounts, percentages and draws follow. Foreign root
-- rows and boundary versions count from 0 downward.
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
-- Statements name foreign givers of credit.
create index moved_activity_account on moved_activity (network_id, account_id);

-- SHA-256 of a move's rows in order; unchanged by further moves.
create function told_hash(number int, move uuid) returns bytea language sql stable as $$
  select sha256(convert_to(coalesce(string_agg(
    jsonb_build_array(id, extract(epoch from at), account_id, username, subject, detail)::text, E'\n' order by seq), ''), 'UTF8'))
  from moved_activity where network_id = number and move_id = move
$$;

-- The serving role may add clearing checkpoints and tombstones only to staged networks.
do $$
declare t text;
begin
  foreach t in array array['wallet_gaps', 'activity_gaps', 'cleared_draws', 'cleared_results', 'cleared_requests',
    'cleared_days', 'cleared_marks',
                           'cleared_remainders', 'undone_draws', 'undone_tickets', 'undone_clearings', 'undone_cleared'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy is_read on %I for select using (true)', t);
    execute format('create policy is_beside on %I for insert with check (network_id in (select id from staged_networks))', t);
  end loop;
  -- Tombstones may be deleted there as well.
  foreach t in array array['undone_draws', 'undone_tickets', 'undone_clearings', 'undone_cleared'] loop
    execute format('create policy goes_beside on %I for delete using (network_id in (select id from staged_networks))', t);
  end loop;
end $$;

-- The serving role can use the sequence only through this.
create function next_network() returns int security definer language sql set search_path = public, pg_temp as
  $$ select nextval('networks_id_seq')::int $$;

-- At most `most` rows of a staged or replaced network; the serving role cannot delete other history. Returns the count.
-- The final call, finding none, removes the network.
create function delete_beside(number int, most int) returns bigint security definer language plpgsql set search_path = public, pg_temp as $$
declare t text; gone bigint; sum bigint := 0;
begin
  perform from staged_networks where id = number for update;
  if not found then raise exception 'no network % stands beside', number; end if;
  for t in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'network_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'accounts' order by 1
  loop
    execute format('delete from %I where ctid = any(array(select ctid from %1$I where network_id = $1 limit $2))', t)
      using number, most - sum;
    get diagnostics gone = row_count;
    sum := sum + gone;
    exit when sum >= most;
  end loop;
  if sum = 0 then delete from staged_networks where id = number; end if;
  return sum;
end $$;

-- Only the owner may update statistics. With stale ones, queries over all tickets may never finish.
create function analyze_beside() returns void security definer language plpgsql set search_path = public, pg_temp as $$
declare t text;
begin
  for t in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'network_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1
  loop
    execute format('analyze %I', t);
  end loop;
end $$;

-- Takes a network out of service so another can replace it. Requires all its accounts in `staged_accounts`.
create function put_beside(number int, at timestamptz) returns void security definer language plpgsql
  set search_path = public, pg_temp as $$
declare gone uuid[];
begin
  select array_agg(id) into gone from accounts where network_id = number;
  -- Correlated subquery: fresh copies have no statistics.
  if exists (select from unnest(gone) as kept (id)
    where (select s.id from staged_accounts s where s.network_id = number and s.id = kept.id) is null) then
    raise exception 'not all accounts of network % are kept', number;
  end if;
  delete from known_addresses where account_id = any(gone);
  delete from known_devices where account_id = any(gone);
  insert into past_sessions (began_at, ended_at, account_id, token_hash)
    select created_at, last_used_at, account_id, token_hash from sessions where account_id = any(gone) on conflict do nothing;
  delete from sessions where account_id = any(gone);
  delete from replaced_sessions where account_id = any(gone);
  delete from accounts where network_id = number;
  insert into staged_networks (since, root_log, of_admin, id, wallets, state)
    select at, coalesce((select seq from activity_heads where network_id = 0), 0), admin_id, id, wallets, 'replaced'
      from networks where id = number;
  delete from networks where id = number;
end $$;

-- Networks that are moving between cells. Nothing changes them until the directory of the group has decided.
create table fences (
  at timestamptz not null,
  move_id uuid not null,
  admin_id uuid not null,
  network_id integer primary key,
  arrives boolean not null, -- false: leaves this cell
  cell text not null -- the other cell
);

-- Every command takes a shared lock on its network (superadmins on the root), key 3407519. An exchange waits for
-- running commands; later ones find the old network gone. Returns true if it exists and may change.
create function hold_network(number int) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(3407519, number);
  -- A separate statement sees commits made during the wait.
  return number = 0 or exists (select from networks where id = number) and not exists (select from fences where network_id = number);
end $$;
create function close_network(number int) returns void language sql as
  $$ select pg_advisory_xact_lock(3407519, number) $$;

-- Closes the books during a restore. Changes need the shared lock (3407520, network) immediately or fail. A restore
-- waits for running changes, then holds it exclusively on its own connection; if the server dies, the books reopen.
create function enter_books(number int) returns boolean language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(3407520, number) then return false; end if;
  return not exists (select from fences where network_id = number);
end $$;

-- Downloaded backups lack API key hashes, which the serving role cannot change otherwise.
create function keep_key_hashes(stands_beside integer, live integer) returns void security definer language sql
  set search_path = public, pg_temp as $$
  update api_keys k set key_hash = l.key_hash from api_keys l
  where k.network_id = stands_beside and l.network_id = live and l.id = k.id and k.key_hash <> l.key_hash
    and exists (select from staged_networks b where b.id = stands_beside)
$$;

-- For a move that died. Its own command drops the subscription, which drops the slot too.
create function end_replication(name text) returns void security definer language plpgsql set search_path = public, pg_temp as $$
begin
  if name !~ '^drawhouse_move_[0-9]+$' then raise exception 'no replication of a move is named %', name; end if;
  if exists (select from pg_subscription where subname = name) then
    execute format('alter subscription %I disable', name);
    execute format('alter subscription %I set (slot_name = none)', name);
    execute format('drop subscription %I', name);
  end if;
  execute format('drop publication if exists %I', name);
  perform pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = name and not active;
end $$;
revoke all on function end_replication from public;

-- Rows about a moved network count from 0 downward. When a replaced copy becomes a network again, the earlier ones make
-- room for those of its last stay. Twice, because keys must not meet on the way.
create function shift_told(number int, by bigint) returns void security definer language plpgsql set search_path = public, pg_temp as $$
declare far constant bigint := 1000000000000;
begin
  if not exists (select from staged_networks where id = number) then raise exception 'no network % stands beside', number; end if;
  update moved_activity set seq = seq - by - far where network_id = number;
  update moved_activity set seq = seq + far where network_id = number;
end $$;
