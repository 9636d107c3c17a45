-- Draws with tickets of which the rollups do not tell about when they were: void ones are in none, and late ones count long after their
-- time. There are few of either.
create index draws_untold on draws (network_id, game_id, opens_at)
  where ticket_count is distinct from 0 and (status = 'void' or finished_at - draws_at > interval '1 hour');
