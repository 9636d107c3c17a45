-- Bets begin before the opening time if a player bought a ticket ahead; null: from `opens_at`. The opening time stays
-- that of the schedule, so draws of a game still follow each other.
alter table draws add column bets_from timestamptz check (bets_from < opens_at);
create index draws_ahead on draws (network_id, game_id, opens_at) where bets_from is not null;
call audited.make_views();
