-- Clearing saved results hides their log rows from the network and deletes nothing: the superadmin still sees who declared, replaced and confirmed
-- a result, and with which stakes. `cleared_results` lists the hidden rows.
drop view audited.cleared_results;
alter table cleared_results drop column draw_id, add column seq bigint not null, add primary key (network_id, seq);
call audited.make_views();

-- As in 0012-clearing.sql, but a hidden row is not cleared again.
create or replace function judged_log(net integer, chosen text, since timestamptz, until timestamptz, first bigint, last bigint)
returns table (seq bigint, stays text) language sql stable as $$
  with changes as materialized (
    select l.network_id, l.id, l.at, 'percentages' as what, told ->> 'adminId' as admin, told ->> 'gameId' as game
    from activity l, jsonb_path_query(l.detail, '$.percentages[*]') as told
    where chosen = 'upcome' and l.network_id in (0, net) and l.detail ? 'percentages'
    union all
    select l.network_id, l.id, l.at, 'limits', l.detail ->> 'adminId', told ->> 'gameId'
    from activity l, jsonb_path_query(l.detail, '$.limits[*]') as told
    where chosen = 'upcome' and l.network_id in (0, net) and l.detail ? 'limits'
  ), upcome as materialized (
    select id, count(*) filter (where next_at is null) > 0 as in_force, bool_or(what = 'percentages' and exists (
             select from draws d join games g on g.id = d.game_id
             where d.network_id = net and g.game_key = c.game and d.draws_at > c.at - interval '1 day' and d.opens_at < c.next_at + interval '1 day')) as needed
    from (select *, lead(at) over (partition by what, admin, game order by id) as next_at from changes) as c where c.network_id = net group by id
  )
  select l.seq, case
    when chosen = 'upcome' then case when u.in_force then 'in force' when u.needed then 'draws' end
    when chosen = 'result' then case when exists (
      select from draws d where d.network_id = net and d.id::text = l.detail ->> 'drawId'
        and (d.status not in ('settled', 'void') or d.finished_at >= until)) then 'undrawn' end
    when l.detail ? 'cleared' then 'clearing'
    when l.detail ?| array['parentId', 'refId', 'commission', 'returned', 'moved'] or l.subject = 'Signed up' then 'account'
    when l.subject = 'Signed in' and l.at >= (select a.last_login_at from accounts a where a.id = l.account_id) then 'last'
  end
  from activity l left join upcome u on u.id = l.id
  where l.network_id = net and l.seq >= first and l.seq <= last and l.at >= since and l.at < until and case chosen
    when 'upcome' then u.id is not null
    when 'result' then l.detail ? 'drawId' and l.detail ?| array['stakes', 'replaced']
      and not exists (select from cleared_results c where c.network_id = net and c.seq = l.seq)
    when 'userlog' then l.detail is null or not l.detail ?| array['opened', 'drawId', 'percentages', 'limits', 'protection', 'apiKey']
  end
$$;

-- Hides the rows of a network's log about saved results that may go. Returns how many.
create function hide_results(net integer, clearing uuid, first bigint, last bigint) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, 'result');
  hidden bigint;
begin
  insert into cleared_results (network_id, seq)
    select net, j.seq from judged_log(net, 'result', asked.starts_at, asked.ends_at, first, last) as j where j.stays is null;
  get diagnostics hidden = row_count;
  update clearings c set removed = removed + hidden where c.network_id = net and c.id = clearing and c.model = 'result';
  return hidden;
end $$;
revoke execute on function hide_results from public;

-- As in 0013-clear-functions.sql, without the rows about saved results.
create or replace function clear_log(net integer, clearing uuid, chosen text, first bigint, last bigint) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, chosen);
  gone activity[];
begin
  if chosen = 'result' then raise exception 'Rows about saved results are hidden, not deleted.'; end if;
  with judged as materialized (
    select j.seq from judged_log(net, chosen, asked.starts_at, asked.ends_at, first, last) as j where j.stays is null
  ), deleted as (delete from activity l using judged j where l.network_id = net and l.seq = j.seq returning l as gone_row)
  select array_agg(gone_row) into gone from deleted;
  if gone is null then return 0; end if;
  perform note_log_gaps(net, array_agg(g.seq), array_agg(g.hash)) from unnest(gone) as g;
  perform add_marks(net, 'ordered', sum(order_mark((g.detail ->> 'transferId')::uuid)))
  from unnest(gone) as g where g.detail ? 'transferId' having count(*) > 0;
  update clearings c set removed = removed + cardinality(gone), log_rows = log_rows + cardinality(gone)
  where c.network_id = net and c.id = clearing and c.model = chosen;
  return cardinality(gone);
end $$;
