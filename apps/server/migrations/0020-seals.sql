-- Committed rows are sealed into a transparency log (docs/seals.md). The sealer finds them by transaction: ids and
-- times fail, because early transactions can commit late. Append-only tables use a default; others a trigger on sealed
-- columns.
create function mark_written() returns trigger language plpgsql as
  $$ begin new.written_by := pg_current_xact_id(); return new; end $$;

-- `changes`: sealed columns; '' for append-only, '*' for all. Other updates keep the transaction and thus the indexes,
-- as when restores renumber accounts.
create procedure keep_written(t text, changes text, which text default '') language plpgsql as $$
declare differs text;
begin
  execute format('alter table %I add column if not exists written_by xid8 not null default pg_current_xact_id()', t);
  execute format('create index %I on %I (written_by) %s', t || '_written', t, which);
  if changes <> '' then
    execute format('create trigger %I before insert on %I for each row execute function mark_written()', t || '_added', t);
    select 'when ((' || string_agg('old.' || c, ', ') || ') is distinct from (' || string_agg('new.' || c, ', ') || '))' into differs
      from unnest(string_to_array(changes, ', ')) as c where changes <> '*';
    execute format('create trigger %I before update on %I for each row %s execute function mark_written()',
      t || '_changed', t, coalesce(differs, 'when (old *<> new)'));
  end if;
end $$;

-- Stakes are sealed with tickets, payouts with settlements; other transfers individually.
call keep_written('transfers', '', 'where kind not in (7, 9, 10, 11)');
call keep_written('wallets', '');
call keep_written('tickets', '');
call keep_written('ticket_wins', '');
call keep_written('ticket_claims', '');
call keep_written('ticket_prints', '');
call keep_written('draw_terms', '');
call keep_written('draws', '*');
call keep_written('draw_settlements', '');
call keep_written('draw_settlings', '');
call keep_written('settlement_pieces', '');
call keep_written('player_settlements', '');
call keep_written('settled_remainders', '');
call keep_written('corrections', '*');
call keep_written('ticket_corrections', '');
call keep_written('liability_days', '*');
call keep_written('idempotency_keys', '*');
call keep_written('activity', '');
call keep_written('networks', 'id, admin_id');
call keep_written('accounts',
  'id, parent_id, chain, active, deleted_at, role, username, unique_id, commission, daily_limit, note, password_hash, '
  'password_set_at, password_set_by, temporary_until, created_at, table_line, commission_ceiling, commission_granted, token_sessions, '
  'test_network, password_first, remember_devices, factor_roles, staff_addresses, staff_starts_minute, staff_ends_minute');
call keep_written('logins', 'network_id, account_id, number, created_at, removed_at, password_set_at, temporary_until, '
  'daily_limit, password_set_by, password_set_by_login, starts_minute, ends_minute, active, role, username, name, '
  'password_hash, permissions, games, addresses');
call keep_written('factors', 'network_id, account_id, login, number, made_at, kind, name, host, secret, credential, public_key');
call keep_written('schedules', '*');
call keep_written('games', '*');
call keep_written('game_images', '*');
call keep_written('times', '*');
call keep_written('game_times', '*');
call keep_written('network_games', '*');
call keep_written('protection_changes', '');
call keep_written('protections', '*');
call keep_written('api_keys',
  'network_id, number, id, made_by, made_at, ended_at, end_is_kept, stake_per_day, tickets_per_minute, key_hash, name, ending, '
  'addresses, permissions, credit_per_day, expires_at');
call keep_written('approval_rules', '*');
call keep_written('approvals', '*');
call keep_written('week_payments', '');
call keep_written('week_terms', '');
call keep_written('week_closings', '');
call keep_written('week_notes', '');
call keep_written('standing_orders', '*');
call keep_written('rate_changes', '');
call keep_written('past_sessions', '*');
call keep_written('pinned_settings', '*');
call keep_written('house_settings', '*');
call keep_written('landing_settings', '*');
call keep_written('alert_thresholds', '*');
call keep_written('clearings', '*');
call keep_written('wallet_gaps', '*');
call keep_written('activity_gaps', '*');
call keep_written('cleared_draws', '*');
call keep_written('cleared_results', '*');
call keep_written('cleared_days', '*');
call keep_written('cleared_marks', '*');
call keep_written('cleared_requests', '');
call keep_written('cleared_remainders', '*');
call keep_written('restores', '');
call keep_written('undone_activity', '');
call keep_written('moves', '');
call keep_written('moved_activity', '');

-- Removed rows of other tables, by sealed key.
create table removals (
  written_by xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity primary key,
  of_table text not null,
  key text not null -- columns, tab-separated
);
create index removals_written on removals (written_by);
create function note_removal() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare network int := (to_jsonb(old) ->> 'network_id')::int;
begin
  -- Staged networks are not sealed.
  if network is not null and not exists (select from networks where id = network) then return null; end if;
  insert into removals (of_table, key) select tg_table_name, string_agg(to_jsonb(old) ->> name, E'\t' order by nth)
    from unnest(tg_argv[0:]) with ordinality as keys (name, nth);
  return null;
end $$;
create trigger networks_removed after delete on networks for each row execute function note_removal('id');
create trigger accounts_removed after delete on accounts for each row execute function note_removal('id');
create trigger factors_removed after delete
  on factors for each row execute function note_removal('network_id', 'account_id', 'login', 'number');
create trigger game_images_removed after delete on game_images for each row execute function note_removal('game_id', 'position');
create trigger schedules_removed after delete on schedules for each row execute function note_removal('id');
create trigger times_removed after delete on times for each row execute function note_removal('id');
create trigger game_times_removed after delete on game_times for each row execute function note_removal('game_id', 'position');
create trigger network_games_removed after delete on network_games for each row execute function note_removal('network_id', 'game_id');
create trigger liability_days_removed after delete on liability_days for each row execute function note_removal('network_id', 'day');
create trigger wallet_gaps_removed after delete
  on wallet_gaps for each row execute function note_removal('network_id', 'wallet_id', 'first_version');
create trigger activity_gaps_removed after delete on activity_gaps for each row execute function note_removal('network_id', 'first_seq');

-- By log, according to the database. If the files differ, one side was put back.
create table seal_progress (
  at timestamptz not null,
  began_at timestamptz not null default clock_timestamp(), -- first seal
  size bigint not null check (size >= 0), -- records
  snapshot pg_snapshot not null, -- visible means sealed
  origin integer primary key,
  root bytea not null, -- tree root at that size
  checkpoint text not null -- newest signed note; may lag behind
);

-- Changes of the running transaction to tables that people edit, until it appends to the activity log. The log row
-- names table, key and field (append-activity.ts); the audit compares (docs/seals.md).
create table pending_changes (
  written_by xid8 not null default pg_current_xact_id(),
  of_table text not null,
  key text not null, -- columns, tab-separated
  fields text[] -- null: added or removed
);
create index pending_changes_written on pending_changes (written_by);

-- Arguments: key columns, ignored columns.
create function note_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed_row jsonb := coalesce(to_jsonb(new), to_jsonb(old));
  network int := (changed_row ->> 'network_id')::int;
  changed text[];
begin
  -- Staged networks are not sealed.
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

-- Call again after adding a column to such a table.
create procedure note_changes(t text, key text, uncollected text default '') language plpgsql as $$
declare
  skipped text := trim(uncollected || ' written_by');
  differs text;
begin
  select format('(%s) is distinct from (%s)', string_agg(format('old.%I', attname), ', '),
    string_agg(format('new.%I', attname), ', ')) into differs
    from pg_attribute where attrelid = t::regclass and attnum > 0 and not attisdropped and attname <> all (string_to_array(skipped, ' '));
  execute format('drop trigger if exists %I on %I', t || '_row_noted', t);
  execute format('drop trigger if exists %I on %I', t || '_change_noted', t);
  execute format('create trigger %I after insert or delete on %I for each row execute function note_change(%L, %L)',
    t || '_row_noted', t, key, skipped);
  execute format('create trigger %I after update on %I for each row when (%s) execute function note_change(%L, %L)',
    t || '_change_noted', t, differs, key, skipped);
end $$;

call note_changes('networks', 'id', 'wallets arrives');
-- `chain` follows from parents.
call note_changes('accounts', 'id', 'network_id last_login_at chain');
call note_changes('logins', 'network_id account_id number', 'last_login_at');
call note_changes('factors', 'network_id account_id login number', 'last_used_at last_step');
call note_changes('schedules', 'id');
call note_changes('games', 'id');
call note_changes('game_images', 'game_id position');
call note_changes('times', 'id');
call note_changes('game_times', 'game_id position');
call note_changes('network_games', 'network_id game_id');
call note_changes('house_settings', 'id');
call note_changes('landing_settings', 'network_id');
call note_changes('alert_thresholds', 'network_id');
call note_changes('api_keys', 'network_id number', 'last_used_at minute_at minute_tickets');
call note_changes('approval_rules', 'network_id kind');
call note_changes('approvals', 'network_id number');
call note_changes('standing_orders', 'network_id id');
