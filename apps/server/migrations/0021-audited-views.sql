-- COPY into a staged network uses the transaction's network setting. Without that setting, INSERT must name the
-- network.
do $$
declare t text;
begin
  for t in select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'network_id' and table_name in (select tablename from pg_tables
      where schemaname = 'public')
  loop
    execute format('alter table %I alter column network_id set default nullif(current_setting(''drawhouse.network'', true), '''')::int', t);
  end loop;
end $$;

-- Tables as the audit sees them, without staged or replaced networks. In a trial, `drawhouse.trial` names the staged
-- network and the one it stands in for. A third number 1 hides all others but the root.
create schema audited;
create function audited.trial(nth int) returns int stable language sql as
  $$ select nullif(split_part(coalesce(current_setting('drawhouse.trial', true), ''), ':', nth), '')::int $$;
create function audited.hidden() returns int[] stable language sql as
  $$ select array(select id from public.staged_networks where id is distinct from audited.trial(1) union all
                  select audited.trial(2) where audited.trial(2) is not null union all
                  select id from public.networks where audited.trial(3) = 1 and id <> 0) $$;

-- Call again after adding a table or column. Hides rows by `nullif(… , true) is not null`, for which PostgreSQL expects
-- nearly all rows to pass. `<> all` would underestimate by a thousand and read row by row.
create procedure audited.make_views() language plpgsql as $$
declare t text;
begin
  for t in select viewname from pg_views where schemaname = 'audited' loop
    execute format('drop view if exists audited.%I cascade', t);
  end loop;
  for t in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'network_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in ('accounts', 'staged_accounts') order by 1
  loop
    execute format('create view audited.%I as select * from public.%1$I
      where nullif(network_id = any (coalesce((select audited.hidden()), ''{}'')), true) is not null', t);
  end loop;
  create view audited.networks as
    select admin_id, id, wallets from public.networks where nullif(id = any (coalesce((select audited.hidden()), '{}')), true) is not null
    union all select of_admin, id, wallets from public.staged_networks where id = (select audited.trial(1));
  create view audited.accounts as
    select * from public.accounts where nullif(network_id = any (coalesce((select audited.hidden()), '{}')), true) is not null
    union all select * from public.staged_accounts where network_id = (select audited.trial(1));
  -- Without undone rows, plus foreign root rows of moved networks.
  create view audited.standing_activity as
    select network_id, seq, id, at, account_id, subject, detail from audited.activity a
    where not (a.network_id = 0 and a.seq in (select seq from audited.undone_activity))
    union all select 0, seq, id, at, account_id, subject, detail from audited.moved_activity;
end $$;

call audited.make_views();
