-- How far one table of a network may fall below zero, in hundredths. Counts on admins alone; null: the net credit given to the network.
alter table accounts add column table_line bigint check (table_line >= 0);
alter table staged_accounts add column table_line bigint;
create trigger accounts_table_line_changed before update on accounts for each row
  when (old.table_line is distinct from new.table_line) execute function mark_written();
call audited.make_views();
