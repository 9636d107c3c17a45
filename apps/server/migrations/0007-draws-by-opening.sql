-- Intervals change, and with them the numbers, which count intervals: a draw of a pair is known by when it opens.
alter table draws drop constraint draws_network_id_game_id_number_key;
alter table draws add constraint draws_opening unique (network_id, game_id, opens_at);

-- How results of the game came about when this one was saved: what was saved under the rule of two persons does not stand alone once
-- that rule is lifted.
alter table draws add column saved_mode text check (saved_mode in ('open', 'two-person'));
