-- The draws of a game that have tickets, or may have: the list of a game's tickets goes from one to the next, and passes over all that had none.
create index draws_with_tickets on draws (network_id, game_id, opens_at) where ticket_count is distinct from 0;
