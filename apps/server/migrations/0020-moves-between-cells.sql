-- Networks that are moving between cells. Nothing changes them until the directory of the group has decided.
create table fences (
  at timestamptz not null,
  move_id uuid not null,
  admin_id uuid not null,
  network_id integer primary key,
  arrives boolean not null, -- false: leaves this cell
  cell text not null -- the other cell
);
alter table fences alter column network_id set default nullif(current_setting('drawhouse.network', true), '')::int;
call audited.make_views();

-- As in 0011. Both take the lock first: a separate statement sees a fence that was committed during the wait.
create or replace function hold_network(number int) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(3407519, number);
  return number = 0 or exists (select from networks where id = number) and not exists (select from fences where network_id = number);
end $$;
drop function enter_books;
create function enter_books(number int) returns boolean language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(3407520, number) then return false; end if;
  return not exists (select from fences where network_id = number);
end $$;

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
