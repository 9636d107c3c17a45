-- Only these functions delete history. The serving role may call them but cannot delete directly (../grants.sql).

create function add_marks(net integer, kind text, added numeric) returns void language sql as $$
  insert into cleared_marks (network_id, about, marks) values (net, kind, added)
  on conflict (network_id, about) do update set marks = cleared_marks.marks + excluded.marks
$$;

-- Records removed movements as runs, joining adjacent gaps. A growing gap keeps its row: removals of gaps are sealed,
-- so only merged ones go.
create function note_wallet_gaps(net integer, gone transfers[]) returns void language plpgsql as $$
declare merged wallet_gaps[];
begin
  with sides as (
    select t.from_wallet as wallet, t.from_version as version, t.from_balance as closing, -t.amount as amount, t.at from unnest(gone) as t
    union all select t.to_wallet, t.to_version, t.to_balance, t.amount, t.at from unnest(gone) as t
  ), placed as (
    select *, version - row_number() over (partition by wallet order by version) as run from sides
  ), runs as materialized (
    select wallet, min(version) as first_version, max(version) as last_version,
           (array_agg(closing - amount order by version))[1] as opening, (array_agg(closing order by version desc))[1] as closing,
           sum(greatest(amount, 0))::bigint as gained, sum(greatest(-amount, 0))::bigint as spent,
           min(at) as first_at, max(at) as last_at
    from placed group by wallet, run
  ), pieces as (
    select * from runs
    union
    select beside.wallet_id, beside.first_version, beside.last_version, beside.opening, beside.closing, beside.gained,
           beside.spent, beside.first_at, beside.last_at
    from runs r cross join lateral (
      select * from wallet_gaps g where g.network_id = net and g.wallet_id = r.wallet and g.first_version = r.last_version + 1
      union all
      select * from (select * from wallet_gaps g where g.network_id = net and g.wallet_id = r.wallet and g.first_version < r.first_version
                     order by g.first_version desc limit 1) as before where before.last_version = r.first_version - 1
    ) as beside
  ), parted as (
    select *, lag(last_version) over (partition by wallet order by first_version) is distinct from first_version - 1 as begins from pieces
  ), numbered as (
    select *, count(*) filter (where begins) over (partition by wallet order by first_version) as island from parted
  )
  select array_agg(gap) into merged from (
    select row(min(first_version), max(last_version), (array_agg(opening order by first_version))[1],
               (array_agg(closing order by first_version desc))[1], sum(gained), sum(spent), min(first_at), max(last_at), net, wallet,
               pg_current_xact_id())::wallet_gaps as gap
    from numbered group by wallet, island
  ) as gaps;
  delete from wallet_gaps g using unnest(merged) as m
  where g.network_id = net and g.wallet_id = m.wallet_id and g.first_version > m.first_version and g.first_version <= m.last_version;
  insert into wallet_gaps select * from unnest(merged)
  on conflict (network_id, wallet_id, first_version) do update set
    last_version = excluded.last_version, closing = excluded.closing, gained = excluded.gained, spent = excluded.spent,
    last_at = excluded.last_at, opening = excluded.opening, first_at = excluded.first_at;
end $$;

create function note_log_gaps(net integer, gone_seqs bigint[], gone_hashes bytea[]) returns void language plpgsql as $$
declare merged activity_gaps[];
begin
  with placed as (
    select seq, hash, seq - row_number() over (order by seq) as run from unnest(gone_seqs, gone_hashes) as gone (seq, hash)
  ), runs as materialized (
    select min(seq) as first_seq, max(seq) as last_seq, (array_agg(hash order by seq desc))[1] as last_hash from placed group by run
  ), pieces as (
    select * from runs
    union
    select beside.first_seq, beside.last_seq, beside.last_hash from runs r cross join lateral (
      select * from activity_gaps g where g.network_id = net and g.first_seq = r.last_seq + 1
      union all
      select * from (select * from activity_gaps g where g.network_id = net and g.first_seq < r.first_seq
        order by g.first_seq desc limit 1) as before
      where before.last_seq = r.first_seq - 1
    ) as beside
  ), parted as (
    select *, lag(last_seq) over (order by first_seq) is distinct from first_seq - 1 as begins from pieces
  ), numbered as (select *, count(*) filter (where begins) over (order by first_seq) as island from parted)
  select array_agg(gap) into merged from (
    select row(min(first_seq), max(last_seq), net, (array_agg(last_hash order by first_seq desc))[1],
               pg_current_xact_id())::activity_gaps as gap from numbered group by island
  ) as gaps;
  delete from activity_gaps g using unnest(merged) as m
    where g.network_id = net and g.first_seq > m.first_seq and g.first_seq <= m.last_seq;
  insert into activity_gaps select * from unnest(merged)
  on conflict (network_id, first_seq) do update set last_seq = excluded.last_seq, last_hash = excluded.last_hash;
end $$;

-- Adds removed movements to cleared_days by holder.
create function note_flows(net integer, gone transfers[]) returns void language sql as $$
  insert into cleared_days (network_id, day, player_credit, staff_credit, escrow, winnings, commission, tables, outside)
  select net, (at at time zone (select time_zone()))::date, coalesce(sum(gain) filter (where kind = 1 and role = 'user'), 0),
         coalesce(sum(gain) filter (where kind = 1 and role is distinct from 'user'), 0), coalesce(sum(gain) filter (where kind = 5), 0),
         coalesce(sum(gain) filter (where kind = 3), 0), coalesce(sum(gain) filter (where kind = 2), 0),
         coalesce(sum(gain) filter (where kind = 4), 0), coalesce(sum(gain) filter (where kind in (6, 7)), 0)
  from (
    select t.at, w.kind, a.role, side.gain
    from unnest(gone) as t cross join lateral (values (t.to_wallet, t.amount), (t.from_wallet, -t.amount)) as side (wallet, gain)
    join wallets w on w.network_id = net and w.id = side.wallet left join accounts a on a.id = w.owner_id
  ) as sides group by 2
  on conflict (network_id, day) do update set
    player_credit = cleared_days.player_credit + excluded.player_credit, staff_credit = cleared_days.staff_credit + excluded.staff_credit,
    escrow = cleared_days.escrow + excluded.escrow, winnings = cleared_days.winnings + excluded.winnings,
    commission = cleared_days.commission + excluded.commission, tables = cleared_days.tables + excluded.tables,
    outside = cleared_days.outside + excluded.outside
$$;

create function note_movements(net integer, gone transfers[]) returns void language sql as $$
  with owned as materialized (
    select t.kind as what, t.id, t.amount, t.reference, t.actor_id, t.at, w.owner_id, w.kind as wallet_kind,
           case t.kind when 7 then t.to_wallet else t.from_wallet end as house
    from unnest(gone) as t join wallets w on w.network_id = net and w.id = case t.kind when 7 then t.from_wallet else t.to_wallet end
  )
  select add_marks(net, about, -sum(mark)) from (
    select case wallet_kind when 3 then 'winnings' else 'credit' end as about, owner_weight(owner_id)
             * sum(ticket_mark(amount, house, what, reference, actor_id, case what when 8 then null else at end)) as mark
    from owned where what in (7, 8, 10) group by wallet_kind, owner_id
    union all
    select 'collect', sum(amount_mark(amount, reference, '00000000-0000-0000-0000-000000000000')) from owned where what = 9
    union all select 'commission', sum(amount_mark(amount, reference, owner_id)) from owned where what = 11
    union all select 'claim', sum(amount_mark(amount, reference, owner_id)) from owned where what = 14
    union all select 'ordered', sum(order_mark(id)) from owned where what in (3, 4, 12, 14)
  ) as marked where mark is not null group by about
$$;

-- At most `most`. Returns the count.
create function clear_transfers(net integer, clearing uuid, chosen text, since timestamptz, until timestamptz, most integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, chosen);
  gone transfers[];
begin
  if since < asked.starts_at or until > asked.ends_at then raise exception 'That is not of the time of the clearing.'; end if;
  with judged as materialized (select j.from_wallet, j.from_version
    from judged_transfers(net, chosen, since, until) as j where j.stays is null limit most),
  deleted as (
    delete from transfers t using judged j
      where t.network_id = net and t.from_wallet = j.from_wallet and t.from_version = j.from_version returning t as gone_row
  )
  select array_agg(gone_row) into gone from deleted;
  if gone is null then return 0; end if;
  perform note_wallet_gaps(net, gone);
  perform note_flows(net, gone);
  perform note_movements(net, gone);
  update clearings c set removed = removed + cardinality(gone), amount = c.amount + (select sum(t.amount) from unnest(gone) as t)
  where c.network_id = net and c.id = clearing and c.model = chosen;
  return cardinality(gone);
end $$;

-- Deletes removable tickets of draws with dependents. Returns the ticket count.
create function clear_tickets(net integer, clearing uuid, draw_ids uuid[]) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, 'ticket');
  chosen uuid[];
  total bigint;
begin
  select array_agg(j.draw_id) into chosen from judged_plays(net, asked.starts_at, asked.ends_at) as j
    where j.draw_id = any(draw_ids) and j.stays is null;
  if chosen is null then return 0; end if;

  insert into cleared_draws (network_id, draw_id, game_id, finished_at, collected_at, status, source, tickets, players,
    stake, win, commissions)
  select net, d.id, d.game_id, d.finished_at,
         (select b.began_at from draw_settlings b where b.network_id = net and b.draw_id = d.id),
         d.status, d.source, t.tickets, t.players, t.stake, coalesce(s.win, 0), coalesce(s.commissions, 0)
  from draws d
  join (select k.draw_id, count(*) as tickets, count(distinct k.account_id) as players, sum(k.stake) as stake
        from tickets k where k.network_id = net and k.draw_id = any(chosen) group by k.draw_id) as t on t.draw_id = d.id
  left join (select p.draw_id, sum(p.win) as win,
    sum(p.super_commission + p.dist_commission + p.retail_commission + p.user_commission) as commissions
             from player_settlements p where p.network_id = net and p.draw_id = any(chosen) group by p.draw_id) as s on s.draw_id = d.id
  where d.network_id = net;

  perform note_plays(net, chosen);

  delete from ticket_claims c using tickets t
    where t.network_id = net and t.draw_id = any(chosen) and c.network_id = net and c.ticket_id = t.id;
  delete from ticket_prints p using tickets t
    where t.network_id = net and t.draw_id = any(chosen) and p.network_id = net and p.ticket_id = t.id;
  delete from ticket_wins where network_id = net and draw_id = any(chosen);
  delete from exposures where network_id = net and draw_id = any(chosen);
  delete from player_settlements where network_id = net and draw_id = any(chosen);
  delete from draw_settlements where network_id = net and draw_id = any(chosen);
  delete from settlement_pieces where network_id = net and draw_id = any(chosen);
  delete from draw_settlings where network_id = net and draw_id = any(chosen);
  perform clear_remainders(net, chosen);
  with gone as (delete from tickets where network_id = net and draw_id = any(chosen) returning request)
  insert into cleared_requests (network_id, request) select net, request from gone;
  get diagnostics total = row_count;
  update draws set tickets_cleared = true where network_id = net and id = any(chosen);
  update clearings c set removed = removed + total,
    amount = c.amount + (select sum(stake) from cleared_draws where network_id = net and draw_id = any(chosen))
  where c.network_id = net and c.id = clearing and c.model = 'ticket';
  return total;
end $$;

create function clear_remainders(net integer, chosen uuid[]) returns void language plpgsql as $$
begin
  with gone as (delete from settled_remainders where network_id = net and draw_id = any(chosen)
    returning account_id, after - before as change)
  insert into cleared_remainders (network_id, account_id, settlements, change)
    select net, account_id, count(*), sum(change) from gone group by account_id
  on conflict (network_id, account_id) do update set settlements = cleared_remainders.settlements + excluded.settlements,
    change = cleared_remainders.change + excluded.change;
end $$;

-- Adds marks and daily hashes before deletion.
create function note_plays(net integer, chosen uuid[]) returns void language plpgsql as $$
begin
  perform add_marks(net, about, sum(mark)) from (
    with played as materialized (
      select t.id, t.account_id, t.stake, t.placed_at, d.status, coalesce(w.paid_at, d.finished_at) as paid_at,
        s.manual_claims, e.id as escrow, h.id as house, w.win
      from tickets t join draws d on d.network_id = net and d.id = t.draw_id
      left join draw_settlements s on s.network_id = net and s.draw_id = t.draw_id
      left join wallets e on e.network_id = net and e.owner_id = d.game_id and e.kind = 5
      left join wallets h on h.network_id = net and h.owner_id = d.game_id and h.kind = 4
      left join ticket_wins w on w.network_id = net and w.draw_id = t.draw_id and w.ticket_id = t.id
      where t.network_id = net and t.draw_id = any(chosen)
    ), earned as (
      select p.draw_id, level.account_id, sum(level.amount)::bigint as amount
      from player_settlements p join accounts a on a.id = p.account_id cross join lateral (
        values (a.chain[3], p.super_commission), (a.chain[4], p.dist_commission), (a.chain[5], p.retail_commission),
          (a.id, p.user_commission)
      ) as level (account_id, amount)
      where p.network_id = net and p.draw_id = any(chosen) and level.amount <> 0 group by p.draw_id, level.account_id
    )
    select 'credit' as about, owner_weight(account_id) * sum(ticket_mark(stake, escrow, 7, id, account_id, placed_at)::numeric
             + case when status = 'void' then ticket_mark(stake, escrow, 8, id, null, null) else 0 end
             + case when win is not null and manual_claims is not true
               then ticket_mark(win, house, 10, id, null, paid_at) else 0 end) as mark
    from played group by account_id
    union all
    select 'winnings', owner_weight(account_id) * sum(ticket_mark(win, house, 10, id, null, paid_at)::numeric)
    from played where win is not null and manual_claims group by account_id
    union all select 'commission', sum(amount_mark(amount, draw_id, account_id)) from earned
    union all select 'claim', sum(amount_mark(p.win, p.id, p.account_id)) from played p
      join ticket_claims c on c.network_id = net and c.ticket_id = p.id
  ) as marked where mark is not null group by about;

  insert into cleared_days (network_id, day, settled_worth)
  select net, (s.settled_at at time zone (select time_zone()))::date,
         sum(settled_worth(p.account_id, d.game_id, date_bin('15 minutes', s.settled_at, timestamptz 'epoch'), p.stake,
           p.win, p.super_commission,
                           p.dist_commission, p.retail_commission, p.user_commission)) % 2147483647
  from draw_settlements s join draws d on d.network_id = net and d.id = s.draw_id
  join player_settlements p on p.network_id = net and p.draw_id = s.draw_id
  where s.network_id = net and s.draw_id = any(chosen) group by 2
  on conflict (network_id, day) do update set settled_worth = (cleared_days.settled_worth + excluded.settled_worth) % 2147483647;

  insert into cleared_days (network_id, day, claims_worth)
  select net, (part.at at time zone (select time_zone()))::date, sum(claim_worth(part.account_id, part.held, part.claimed)) from (
    select s.settled_at as at, p.account_id, p.win as held, 0::bigint as claimed
    from draw_settlements s join player_settlements p on p.network_id = net and p.draw_id = s.draw_id
    where s.network_id = net and s.draw_id = any(chosen) and s.manual_claims and p.win > 0
    union all
    select c.claimed_at, t.account_id, 0, w.win
    from tickets t join ticket_claims c on c.network_id = net and c.ticket_id = t.id
    join ticket_wins w on w.network_id = net and w.draw_id = t.draw_id and w.ticket_id = t.id
    where t.network_id = net and t.draw_id = any(chosen)
  ) as part group by 2
  on conflict (network_id, day) do update set claims_worth = cleared_days.claims_worth + excluded.claims_worth;
end $$;

-- With their opening rows. Returns the draw count.
create function clear_draws(net integer, clearing uuid, first bigint, last bigint) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, 'draw');
  chosen uuid[];
  seqs bigint[];
  hashes bytea[];
begin
  select array_agg(j.draw_id), array_agg(distinct j.opening) into chosen, seqs
  from judged_draws(net, asked.starts_at, asked.ends_at, first, last) as j where j.stays is null;
  if chosen is null then return 0; end if;
  delete from draws where network_id = net and id = any(chosen);
  with gone as (delete from activity where network_id = net and seq = any(seqs) returning seq, hash)
  select array_agg(seq), array_agg(hash) into seqs, hashes from gone;
  perform note_log_gaps(net, seqs, hashes);
  update clearings c set removed = removed + cardinality(chosen), log_rows = log_rows + cardinality(seqs)
  where c.network_id = net and c.id = clearing and c.model = 'draw';
  return cardinality(chosen);
end $$;

-- Returns the count, like all below.
create function clear_log(net integer, clearing uuid, chosen text, first bigint, last bigint) returns bigint
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

-- Hides log rows about saved results.
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

-- Deletes names, notes, passwords, known addresses and devices.
create function clear_accounts(net integer, clearing uuid) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, 'user');
  chosen uuid[];
begin
  select array_agg(j.account_id) into chosen from judged_accounts(net, asked.starts_at, asked.ends_at) as j where j.stays is null;
  if chosen is null then return 0; end if;
  delete from known_addresses where account_id = any(chosen); delete from known_devices where account_id = any(chosen);
  delete from factors where network_id = net and account_id = any(chosen);
  delete from favorites where network_id = net and account_id = any(chosen);
  update logins set username = 'cleared login ' || number || ' of ' || account_id, name = 'cleared login ' || number,
    password_hash = '', addresses = '{}' where network_id = net and account_id = any(chosen);
  update accounts set username = 'cleared account ' || unique_id, note = '', password_hash = '' where id = any(chosen);
  update clearings c set removed = removed + cardinality(chosen) where c.network_id = net and c.id = clearing and c.model = 'user';
  return cardinality(chosen);
end $$;

-- Outcome frequencies are computed on demand, without these draws.
create function clear_frequency(net integer, clearing uuid) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, 'frequency');
  total bigint;
begin
  select count(*) into total from judged_frequency(net, asked.starts_at, asked.ends_at);
  update clearings c set removed = total where c.network_id = net and c.id = clearing and c.model = 'frequency';
  return total;
end $$;

revoke execute on function clear_transfers, clear_frequency, clear_tickets, clear_draws, clear_log, hide_results,
  clear_accounts, require_clearing, clear_remainders, add_marks, note_wallet_gaps, note_log_gaps,
  note_flows, note_movements, note_plays from public;
