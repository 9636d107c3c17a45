-- Rows that a restore COPYs belong to the network that is set for the transaction. Without one, every INSERT has to name the number.
do $$
declare t text;
begin
  for t in select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'network_id' and table_name in (select tablename from pg_tables where schemaname = 'public')
  loop
    execute format('alter table %I alter column network_id set default nullif(current_setting(''drawhouse.network'', true), '''')::int', t);
  end loop;
end $$;

-- The tables as the audit reads them: without networks that stand beside. While a restore is tried, `drawhouse.trial` has the numbers of the
-- staged network and of the one that it would replace: the views show the first in place of the second. With a 1 as the third number they
-- show no other networks but the root.
create schema audited;
create function audited.trial(nth int) returns int stable language sql as
  $$ select nullif(split_part(coalesce(current_setting('drawhouse.trial', true), ''), ':', nth), '')::int $$;
create function audited.hidden() returns int[] stable language sql as
  $$ select array(select id from public.networks_beside where id is distinct from audited.trial(1) union all
                  select audited.trial(2) where audited.trial(2) is not null union all
                  select id from public.networks where audited.trial(3) = 1 and id <> 0) $$;

-- A migration that adds a table of networks, or a column to one, calls this again. Hidden rows are left out by `nullif(… , true) is not
-- null`, for which PostgreSQL plans nearly all rows. With `<> all` it would expect a thousandth of a large network, and read row by row.
create procedure audited.make_views() language plpgsql as $$
declare t text;
begin
  for t in select viewname from pg_views where schemaname = 'audited' loop
    execute format('drop view if exists audited.%I cascade', t);
  end loop;
  for t in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'network_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in ('accounts', 'staged_accounts') order by 1
  loop
    execute format('create view audited.%I as select * from public.%1$I where nullif(network_id = any (coalesce((select audited.hidden()), ''{}'')), true) is not null', t);
  end loop;
  create view audited.networks as
    select admin_id, id, wallets from public.networks where nullif(id = any (coalesce((select audited.hidden()), '{}')), true) is not null
    union all select of_admin, id, wallets from public.networks_beside where id = (select audited.trial(1));
  create view audited.accounts as
    select * from public.accounts where nullif(network_id = any (coalesce((select audited.hidden()), '{}')), true) is not null
    union all select * from public.staged_accounts where network_id = (select audited.trial(1));
  -- The rows of all logs that no restore has undone, and those of the roots of other installations about networks that were moved here.
  create view audited.standing_activity as
    select network_id, seq, id, at, account_id, subject, detail from audited.activity a
    where not (a.network_id = 0 and a.seq in (select seq from audited.undone_activity))
    union all select 0, seq, id, at, account_id, subject, detail from audited.moved_activity;
end $$;

call audited.make_views();
