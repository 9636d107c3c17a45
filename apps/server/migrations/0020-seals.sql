-- Seals: what was committed is sealed into a transparency log outside the database (docs/seals.md). The one that seals finds it by the transaction that wrote it:
-- neither an id nor a time tells what was committed since it looked last, as what began early may be committed late. Tables whose rows are
-- only ever added have it by their default; of those that change a trigger sets it whenever what is sealed of a row does.
create function mark_written() returns trigger language plpgsql as
  $$ begin new.written_by := pg_current_xact_id(); return new; end $$;

-- `changes`: the columns that are sealed, or '' where rows are only ever added, or '*' where any column counts. A row that is written anew as it was keeps
-- its transaction, so that no index changes: a restore does so with all accounts of a network.
create procedure keep_written(t text, changes text, which text default '') language plpgsql as $$
declare differs text;
begin
  execute format('alter table %I add column if not exists written_by xid8 not null default pg_current_xact_id()', t);
  execute format('create index %I on %I (written_by) %s', t || '_written', t, which);
  if changes <> '' then
    execute format('create trigger %I before insert on %I for each row execute function mark_written()', t || '_added', t);
    select 'when ((' || string_agg('old.' || c, ', ') || ') is distinct from (' || string_agg('new.' || c, ', ') || '))' into differs
      from unnest(string_to_array(changes, ', ')) as c where changes <> '*';
    execute format('create trigger %I before update on %I for each row %s execute function mark_written()', t || '_changed', t, coalesce(differs, 'when (old *<> new)'));
  end if;
end $$;

-- What moves is sealed with what moved it: bets with their tickets, what draws pay with their settlements. All other transfers by themselves.
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
call keep_written('liability_days', '*');
call keep_written('idempotency_keys', '*');
call keep_written('activity', '');
call keep_written('networks', 'id, admin_id');
call keep_written('accounts', 'id, parent_id, chain, active, deleted_at, role, username, unique_id, commission, daily_limit, note, password_hash, password_set_at, password_set_by');
call keep_written('games', '*');
call keep_written('game_images', '*');
call keep_written('times', '*');
call keep_written('game_times', '*');
call keep_written('network_games', '*');
call keep_written('protection_changes', '');
call keep_written('protections', '*');
call keep_written('api_keys', 'network_id, number, id, made_by, made_at, ended_at, end_is_kept, stake_per_day, tickets_per_minute, key_hash, name, addresses');
call keep_written('past_sessions', '*');
call keep_written('pinned_settings', '*');
call keep_written('landing_settings', '*');
call keep_written('clearings', '*');
call keep_written('cleared_draws', '*');
call keep_written('cleared_results', '*');
call keep_written('cleared_days', '*');
call keep_written('cleared_marks', '*');
call keep_written('restores', '');
call keep_written('undone_activity', '');
call keep_written('moves', '');
call keep_written('moved_activity', '');

-- What is removed of tables whose rows are no record: which row it was, as its key stands in the record of it.
create table removals (
  written_by xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity primary key,
  of_table text not null,
  key text not null -- its columns, with tabs between them
);
create index removals_written on removals (written_by);
create function note_removal() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare network int := (to_jsonb(old) ->> 'network_id')::int;
begin
  -- Nothing is sealed of what stands beside.
  if network is not null and not exists (select from networks where id = network) then return null; end if;
  insert into removals (of_table, key) select tg_table_name, string_agg(to_jsonb(old) ->> name, E'\t' order by nth)
    from unnest(tg_argv[0:]) with ordinality as keys (name, nth);
  return null;
end $$;
create trigger networks_removed after delete on networks for each row execute function note_removal('id');
create trigger accounts_removed after delete on accounts for each row execute function note_removal('id');
create trigger game_images_removed after delete on game_images for each row execute function note_removal('game_id', 'position');
create trigger times_removed after delete on times for each row execute function note_removal('id');
create trigger game_times_removed after delete on game_times for each row execute function note_removal('game_id', 'position');
create trigger network_games_removed after delete on network_games for each row execute function note_removal('network_id', 'game_id');
create trigger liability_days_removed after delete on liability_days for each row execute function note_removal('network_id', 'day');

-- It stands beside as it does among the accounts, which are written anew with it.
alter table staged_accounts add column if not exists written_by xid8 not null default pg_current_xact_id();

-- How far the log of an origin has come, as the database knows it: where the files say otherwise, one of the two was put back to an older state.
create table seal_progress (
  at timestamptz not null,
  began_at timestamptz not null default clock_timestamp(), -- when its first records were sealed
  size bigint not null check (size >= 0), -- so many records
  snapshot pg_snapshot not null, -- all that it shows is sealed
  origin integer primary key,
  root bytea not null, -- of the tree of that size
  checkpoint text not null -- the newest one, a signed note, which may be older
);

call audited.make_views();
