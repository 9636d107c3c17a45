-- Draws at clock times (packages/rules/src/time/clock-slots.ts). All networks share the schedules.
create table schedules (
  id uuid primary key,
  name text not null,
  plan jsonb not null -- clock times, weekdays, single days, opening and close of betting
);

-- Null: draws by the interval.
alter table games add column schedule_id uuid references schedules (id);
create index games_schedule on games (schedule_id) where schedule_id is not null;

-- Days and hours without draws.
alter table network_games add column closures jsonb;

-- Date and clock time of a scheduled draw, as 202601311300; null: drawn by interval. Fixed at opening, so the name
-- outlives changes of the time-zone database.
alter table draws add column clock_number bigint check (clock_number > 100000000000);
alter table undone_draws add column clock_number bigint;
create index draws_by_clock on draws (network_id, clock_number) where clock_number is not null;

call keep_written('schedules', '*');
create trigger schedules_removed after delete on schedules for each row execute function note_removal('id');
call note_changes('schedules', 'id');
call note_changes('games', 'id');
call note_changes('network_games', 'network_id game_id');
call audited.make_views();
