-- Collects what a transaction changes of the tables that people change, until it appends to the activity log: the row of the log then names each table, key and field
-- (append-activity.ts), and the audit compares these with what has changed (docs/seals.md).
create table pending_changes (
  written_by xid8 not null default pg_current_xact_id(),
  of_table text not null,
  key text not null, -- its columns, with tabs between them
  fields text[] -- null: the row was added or removed
);
create index pending_changes_written on pending_changes (written_by);

-- Arguments: the columns of the key, and those that are not collected.
create function note_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed_row jsonb := coalesce(to_jsonb(new), to_jsonb(old));
  network int := (changed_row ->> 'network_id')::int;
  changed text[];
begin
  -- A network that stands beside is not sealed.
  if network is not null and not exists (select from networks where id = network) then return null; end if;
  if tg_op = 'UPDATE' then
    select array_agg(n.key order by n.key) into changed from jsonb_each(to_jsonb(new)) as n
    where n.value is distinct from to_jsonb(old) -> n.key and n.key <> all (string_to_array(tg_argv[1], ' '));
    if changed is null then return null; end if;
  end if;
  insert into pending_changes (of_table, key, fields)
    select tg_table_name, string_agg(changed_row ->> name, E'\t' order by nth), changed
    from unnest(string_to_array(tg_argv[0], ' ')) with ordinality as keys (name, nth);
  return null;
end $$;

-- A migration that adds a column to such a table calls this again.
create procedure note_changes(t text, key text, uncollected text default '') language plpgsql as $$
declare
  skipped text := trim(uncollected || ' written_by');
  differs text;
begin
  select format('(%s) is distinct from (%s)', string_agg(format('old.%I', attname), ', '), string_agg(format('new.%I', attname), ', ')) into differs
    from pg_attribute where attrelid = t::regclass and attnum > 0 and not attisdropped and attname <> all (string_to_array(skipped, ' '));
  execute format('drop trigger if exists %I on %I', t || '_row_noted', t);
  execute format('drop trigger if exists %I on %I', t || '_change_noted', t);
  execute format('create trigger %I after insert or delete on %I for each row execute function note_change(%L, %L)', t || '_row_noted', t, key, skipped);
  execute format('create trigger %I after update on %I for each row when (%s) execute function note_change(%L, %L)', t || '_change_noted', t, differs, key, skipped);
end $$;

call note_changes('networks', 'id', 'wallets arrives');
-- The chain follows from the parents.
call note_changes('accounts', 'id', 'network_id last_login_at chain');
call note_changes('games', 'id');
call note_changes('game_images', 'game_id position');
call note_changes('times', 'id');
call note_changes('game_times', 'game_id position');
call note_changes('network_games', 'network_id game_id');
call note_changes('landing_settings', 'network_id');
call note_changes('api_keys', 'network_id number', 'last_used_at minute_at minute_tickets');
