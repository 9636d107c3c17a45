-- Draws decided by a public lottery, as `National 19:00`; null: the house draws. Fixed at opening. `awaits_until` is then
-- the deadline for its result.
alter table draws add column outside text;
alter table undone_draws add column outside text;
alter table draw_terms drop constraint draw_terms_result_mode_check;
alter table draw_terms add constraint draw_terms_result_mode_check
  check (result_mode in ('open', 'two-person', 'generated', 'outside'));
-- outside: no result was entered before the deadline.
alter type void_cause add value 'outside';
-- Draws that wait for an outside result.
create index draws_outside on draws (network_id, game_id, draws_at) where outside is not null and status = 'closed';
-- Draws bought more than 24 hours ahead: lists of bets look for them apart (tickets/read/played-draws.sql.ts).
create index draws_far on draws (network_id, game_id, draws_at)
  where bets_from is not null and draws_at - bets_from > interval '24 hours';
call audited.make_views();
