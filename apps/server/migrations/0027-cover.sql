-- What a table needs to pay the results that may still come.
-- Cover: what the admin's credit put onto the table for a declared result, in hundredths. It equals what the transfers of kind 16 about the
-- draw come to. Null: none was needed, or it went back.
alter table draws add column cover bigint check (cover > 0);

-- The draws of a game that may still take something out of its table: every bet asks for them. Draws that closed without a ticket are not among them.
create index draws_on_table on draws (network_id, game_id)
  where status in ('open', 'closed', 'drawn', 'settling') and ticket_count is distinct from 0;

call audited.make_views();
