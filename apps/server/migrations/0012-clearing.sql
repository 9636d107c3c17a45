-- What is cleared of the record is replaced by checkpoints, so that what is left can be proved as before: histories go on over what is missing
-- from them, and what was asked for still equals what was done. Nobody may delete of the record but the functions below, which look at each row
-- themselves. No checkpoint holds the number of a network: a network that is restored gets another one.

-- What was cleared, by whom and when, a row for each model; nothing removes these.
create table clearings (
  started_at timestamptz not null,
  finished_at timestamptz, -- null: it is under way, or was cut off
  starts_at timestamptz not null, -- what it clears is from this instant on
  ends_at timestamptz not null, -- up to this one, which it leaves
  removed bigint not null default 0, -- so many rows of what the model is about
  log_rows bigint not null default 0, -- so many rows of the log, whatever the model is about
  amount bigint not null default 0, -- what these moved or staked
  id uuid not null, -- the same for all models that were cleared together
  account_id uuid not null,
  network_id integer not null,
  username text not null,
  model text not null check (model in ('ticket', 'result', 'draw', 'commission', 'user', 'upcome', 'refertransaction', 'userlog', 'usertransaction', 'frequency')),
  backup text not null, -- the folder of the backup that was taken first
  primary key (network_id, id, model),
  check (starts_at < ends_at)
);

-- Movements of a wallet that follow each other and are gone, as one: from a balance to a balance. No two of a wallet touch.
create table wallet_gaps (
  first_version bigint not null,
  last_version bigint not null,
  opening bigint not null, -- before the first
  closing bigint not null, -- after the last
  gained bigint not null, -- what came in, and what went out
  spent bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  network_id integer not null,
  wallet_id integer not null,
  primary key (network_id, wallet_id, first_version),
  check (closing = opening + gained - spent and last_version >= first_version)
);

-- Rows of a log that follow each other and are gone: the chain goes on from the hash of the last. No two of a log touch.
create table activity_gaps (
  first_seq bigint not null,
  last_seq bigint not null,
  network_id integer not null,
  last_hash bytea not null,
  primary key (network_id, first_seq),
  check (last_seq >= first_seq)
);

-- What a draw came to whose tickets are gone, be the draw still there or not.
create table cleared_draws (
  finished_at timestamptz not null,
  stake bigint not null,
  win bigint not null,
  commissions bigint not null,
  draw_id uuid not null,
  game_id uuid not null,
  network_id integer not null,
  tickets integer not null,
  players integer not null,
  status draw_status not null,
  source result_source,
  primary key (network_id, draw_id)
);
create index cleared_draws_time on cleared_draws (network_id, finished_at);

-- Draws of which it is gone what was declared, replaced and confirmed on the way to their result.
create table cleared_results (
  draw_id uuid not null,
  network_id integer not null,
  primary key (network_id, draw_id)
);

-- The requests of tickets that are gone: no ticket is made of one again.
create table cleared_requests (
  request uuid not null,
  network_id integer not null,
  primary key (network_id, request)
);

-- Of each day of the time zone: what the movements that are gone brought to whom, as in `liability_days`, and what the settlements and the
-- claims that are gone are worth in the sums by day (cleared_worth, claim_worth).
create table cleared_days (
  player_credit bigint not null default 0,
  staff_credit bigint not null default 0,
  escrow bigint not null default 0,
  winnings bigint not null default 0,
  commission bigint not null default 0,
  tables bigint not null default 0,
  outside bigint not null default 0,
  settled_worth bigint not null default 0,
  network_id integer not null,
  day date not null,
  claims_worth numeric not null default 0,
  primary key (network_id, day)
);

-- By what for: the marks of what is gone that asked for a movement, less those of movements that are gone. Where both are gone it is 0.
create table cleared_marks (
  network_id integer not null,
  about text not null check (about in ('credit', 'winnings', 'commission', 'collect', 'claim', 'ordered')),
  marks numeric not null,
  primary key (network_id, about)
);

-- Marks and worths are sums of hashes, by which the audit compares what is there with what should be (apps/server/src/audit).

-- Of a movement about a ticket. A refund has no time of its own.
create function ticket_mark(amount bigint, house integer, kind integer, ticket uuid, actor uuid, at timestamptz) returns bigint
language sql stable parallel safe as $$
  select hashint8extended(amount, hashint8extended(coalesce(house, 0)::bigint * 16 + kind,
    uuid_hash_extended(coalesce(ticket, '00000000-0000-0000-0000-000000000000'),
      uuid_hash_extended(coalesce(actor, '00000000-0000-0000-0000-000000000000'),
        hashfloat8extended(coalesce(date_part('epoch', at), 0), 0))))) >> 2
$$;
-- By what the marks of a player's movements count, so that none can be another's.
create function owner_weight(owner uuid) returns bigint language sql stable parallel safe as $$
  select (uuid_hash_extended(owner, 0) & 2147483647) + 1
$$;
-- Of what a draw or a ticket asks for, for an account.
create function amount_mark(amount bigint, reference uuid, account uuid) returns bigint
language sql stable parallel safe as $$
  select hashint8extended(amount, uuid_hash_extended(reference, uuid_hash_extended(account, 0))) >> 2
$$;
-- Of a transfer that somebody ordered.
create function order_mark(transfer uuid) returns bigint language sql stable parallel safe as $$
  select uuid_hash_extended(transfer, 0) >> 2
$$;
-- Of what a player came to in a game in a quarter of an hour.
create function settled_worth(account uuid, game uuid, quarter timestamptz, stake bigint, win bigint, supers bigint, dist bigint, retail bigint, own bigint)
returns bigint language sql stable parallel safe as $$
  select (uuid_hash_extended(account, uuid_hash_extended(game, hashfloat8extended(date_part('epoch', quarter), 0))) & 2147483647)
    * ((stake % 2147483647 * 1301081123 % 2147483647 + win % 2147483647 * 982451653 % 2147483647
      + supers % 2147483647 * 1618033987 % 2147483647 + dist % 2147483647 * 756839101 % 2147483647
      + retail % 2147483647 * 2038074743 % 2147483647 + own % 2147483647 * 1122334467 % 2147483647) % 2147483647)
$$;
-- Of what of a player's was held back and claimed on a day.
create function claim_worth(account uuid, held bigint, claimed bigint) returns numeric language sql stable parallel safe as $$
  select (uuid_hash_extended(account, 0) & 2147483647)::numeric * (held::numeric * 1301081123 + claimed::numeric * 982451653)
$$;

create function time_zone() returns text language sql stable parallel safe as $$
  select value from pinned_settings where name = 'time-zone'
$$;

-- The movements of a model between two instants, by their key, each with why it stays; null: it may go.
create function judged_transfers(net integer, chosen text, since timestamptz, until timestamptz)
returns table (from_wallet integer, from_version bigint, amount bigint, stays text) language sql stable as $$
  select t.from_wallet, t.from_version, t.amount, case
    when chosen = 'refertransaction' then case when f.kind in (6, 7) or o.kind in (6, 7) then 'border' end
    when chosen = 'commission' then case when
      coalesce((select sum(p.amount) from transfers p where p.network_id = net and p.from_wallet = t.to_wallet and p.from_version > t.to_version
                and p.kind not in (7, 9, 10, 11)), 0)
      + coalesce((select sum(g.spent) from wallet_gaps g where g.network_id = net and g.wallet_id = t.to_wallet and g.first_version > t.to_version), 0)
      < t.to_balance then 'unpaid' end
    when t.kind = 7 and t.at >= (select min(d.opens_at) from draws d where d.network_id = net and d.status in ('open', 'closed', 'drawn'))
      and exists (select from tickets k join draws d on d.network_id = net and d.id = k.draw_id
                  where k.network_id = net and k.id = t.reference and d.status in ('open', 'closed', 'drawn')) then 'undrawn'
    when t.kind = 10 and o.kind = 3 and exists (select from tickets k where k.network_id = net and k.id = t.reference)
      and not exists (select from ticket_claims c where c.network_id = net and c.ticket_id = t.reference) then 'unclaimed'
  end
  from transfers t join wallets f on f.network_id = net and f.id = t.from_wallet join wallets o on o.network_id = net and o.id = t.to_wallet
  where t.network_id = net and t.at >= since and t.at < until and t.kind = any(case chosen
    when 'refertransaction' then '{3,4,12}' when 'usertransaction' then '{7,8,9,10,14}' when 'commission' then '{11}' end::smallint[])
$$;

-- The draws with tickets that ended between two instants, each with why its tickets stay.
create function judged_plays(net integer, since timestamptz, until timestamptz)
returns table (draw_id uuid, tickets integer, stays text) language sql stable as $$
  select d.id, d.ticket_count, case when exists (
      select from draw_settlements s join ticket_wins w on w.network_id = net and w.draw_id = s.draw_id
      where s.network_id = net and s.draw_id = d.id and s.manual_claims
        and not exists (select from ticket_claims c where c.network_id = net and c.ticket_id = w.ticket_id)) then 'unclaimed' end
  from (
    select s.draw_id from draw_settlements s where s.network_id = net and s.settled_at >= since and s.settled_at < until
    union all
    select v.id from draws v where v.network_id = net and v.status = 'void' and v.ticket_count is distinct from 0 and not v.tickets_cleared
      and v.finished_at >= since and v.finished_at < until
  ) as ended join draws d on d.network_id = net and d.id = ended.draw_id
  where d.status in ('settled', 'void') and d.ticket_count > 0 and not d.tickets_cleared and d.finished_at >= since and d.finished_at < until
$$;

-- The least id of an instant, as the server makes them.
create function least_id(at timestamptz) returns uuid language sql stable parallel safe as $$
  select (left(hex, 8) || '-' || right(hex, 4) || '-7000-8000-000000000000')::uuid
  from lpad(to_hex(greatest(0, floor(date_part('epoch', at) * 1000))::bigint), 12, '0') as hex
$$;

-- The draws that ended between two instants and opened by the rows of the log from one to another, each with that row and why it stays. Those
-- that opened together, by how their ids end, stay and go together, and with them the row that tells of them. `with_tickets` judges as if all
-- tickets were gone that may go.
create function judged_draws(net integer, since timestamptz, until timestamptz, first bigint, last bigint, with_tickets boolean default false)
returns table (draw_id uuid, opening bigint, stays text) language sql stable as $$
  with told as materialized (
    select seq, at, detail -> 'opened' ->> 'batch' as batch, (detail -> 'opened' ->> 'draws')::bigint as draws from activity l
    where l.network_id = net and l.seq between first and last and l.account_id is null and l.detail ? 'opened'
  ), judged as materialized (
    select t.seq, t.draws, d.id, d.finished_at >= since and d.finished_at < until as asked, case
        when d.ticket_count > 0 and not d.tickets_cleared
          and not (with_tickets and d.id in (select p.draw_id from judged_plays(net, since, until) as p where p.stays is null)) then 'tickets'
        when not exists (select from draws n where n.network_id = net and n.game_id = d.game_id and n.opens_at > d.opens_at) then 'newest'
      end as stays
    from draws d join told t on t.batch = right(d.id::text, 17)
    where d.network_id = net and d.id >= least_id((select min(at) from told) - interval '1 hour') and d.id < least_id((select max(at) from told) + interval '1 hour')
  ), batches as (
    select seq, count(*) = max(draws) and count(stays) = 0 and bool_and(asked is true) as goes from judged group by seq
  )
  select j.id, j.seq, coalesce(j.stays, case when not b.goes then 'together' end) from judged j join batches b using (seq) where j.asked
$$;

-- The rows of a network's log of a model between two instants, each with why it stays.
create function judged_log(net integer, chosen text, since timestamptz, until timestamptz, first bigint, last bigint)
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
    when l.detail ?| array['parentId', 'refId', 'commission', 'returned'] or l.subject = 'Signed up' then 'account'
    when l.subject = 'Signed in' and l.at >= (select a.last_login_at from accounts a where a.id = l.account_id) then 'last'
  end
  from activity l left join upcome u on u.id = l.id
  where l.network_id = net and l.seq >= first and l.seq <= last and l.at >= since and l.at < until and case chosen
    when 'upcome' then u.id is not null
    when 'result' then l.detail ? 'drawId' and l.detail ?| array['stakes', 'replaced']
    when 'userlog' then l.detail is null or not l.detail ?| array['opened', 'drawId', 'percentages', 'limits']
  end
$$;

-- The accounts of a network that were deleted between two instants, each with why its names stay.
create function judged_accounts(net integer, since timestamptz, until timestamptz) returns table (account_id uuid, stays text)
language sql stable as $$
  select a.id, case when exists (select from wallets w where w.network_id = net and w.owner_id = a.id and w.balance <> 0) then 'credit' end
  from accounts a where a.network_id = net and a.deleted_at >= since and a.deleted_at < until and a.username <> 'cleared account ' || a.unique_id
$$;

-- The settled draws between two instants that are counted in how often each outcome came.
create function judged_frequency(net integer, since timestamptz, until timestamptz) returns table (draw_id uuid, stays text)
language sql stable as $$
  select d.id, null::text from draws d where d.network_id = net and d.status = 'settled' and d.draws_at >= since and d.draws_at < until
    and not exists (select from clearings c where c.network_id = net and c.model = 'frequency' and c.finished_at is not null
                      and d.draws_at >= c.starts_at and d.draws_at < c.ends_at)
$$;

-- The rule of all that follows: what is asked for is of a clearing that was begun and is not finished, within its time, and no part of it of a day
-- that is not over and summed.
create function require_clearing(net integer, clearing uuid, chosen text) returns clearings language plpgsql as $$
declare found clearings;
begin
  select * into found from clearings c where c.network_id = net and c.id = clearing and c.model = chosen and c.finished_at is null for update;
  if found.id is null then raise exception 'No clearing of % of network % is under way under this id.', chosen, net; end if;
  if net = 0 then raise exception 'Nothing of the root is cleared.'; end if;
  if found.ends_at > (select (max(day) + 1)::timestamp at time zone time_zone() from liability_days where network_id = 0) is not false then
    raise exception 'Only days that are over and summed are cleared.';
  end if;
  return found;
end $$;

create function add_marks(net integer, kind text, added numeric) returns void language sql as $$
  insert into cleared_marks (network_id, about, marks) values (net, kind, added)
  on conflict (network_id, about) do update set marks = cleared_marks.marks + excluded.marks
$$;

-- Closes the history of each wallet over movements that are gone.
create function note_wallet_gaps(net integer, gone transfers[]) returns void language plpgsql as $$
declare merged wallet_gaps[];
begin
  with sides as materialized (
    select t.from_wallet as wallet, t.from_version as version, t.from_balance as closing, -t.amount as amount, t.at from unnest(gone) as t
    union all select t.to_wallet, t.to_version, t.to_balance, t.amount, t.at from unnest(gone) as t
  ), pieces as (
    select wallet, version as first_version, version as last_version, closing - amount as opening, closing, greatest(amount, 0) as gained,
           greatest(-amount, 0) as spent, at as first_at, at as last_at from sides
    union
    select beside.wallet_id, beside.first_version, beside.last_version, beside.opening, beside.closing, beside.gained, beside.spent, beside.first_at,
           beside.last_at
    from sides s cross join lateral (
      select * from wallet_gaps g where g.network_id = net and g.wallet_id = s.wallet and g.first_version = s.version + 1
      union all
      select * from (select * from wallet_gaps g where g.network_id = net and g.wallet_id = s.wallet and g.first_version < s.version
                     order by g.first_version desc limit 1) as before where before.last_version = s.version - 1
    ) as beside
  ), parted as (
    select *, lag(last_version) over (partition by wallet order by first_version) is distinct from first_version - 1 as begins from pieces
  ), numbered as (
    select *, count(*) filter (where begins) over (partition by wallet order by first_version) as island from parted
  )
  select array_agg(gap) into merged from (
    select row(min(first_version), max(last_version), (array_agg(opening order by first_version))[1], (array_agg(closing order by first_version desc))[1],
               sum(gained), sum(spent), min(first_at), max(last_at), net, wallet)::wallet_gaps as gap
    from numbered group by wallet, island
  ) as gaps;
  delete from wallet_gaps g using unnest(merged) as m
  where g.network_id = net and g.wallet_id = m.wallet_id and g.first_version between m.first_version and m.last_version;
  insert into wallet_gaps select * from unnest(merged);
end $$;

-- The same of the log, over rows that are gone.
create function note_log_gaps(net integer, gone_seqs bigint[], gone_hashes bytea[]) returns void language plpgsql as $$
declare merged activity_gaps[];
begin
  with rows as materialized (select * from unnest(gone_seqs, gone_hashes) as gone (seq, hash)),
  pieces as (
    select seq as first_seq, seq as last_seq, hash as last_hash from rows
    union
    select beside.first_seq, beside.last_seq, beside.last_hash from rows r cross join lateral (
      select * from activity_gaps g where g.network_id = net and g.first_seq = r.seq + 1
      union all
      select * from (select * from activity_gaps g where g.network_id = net and g.first_seq < r.seq order by g.first_seq desc limit 1) as before
      where before.last_seq = r.seq - 1
    ) as beside
  ), parted as (
    select *, lag(last_seq) over (order by first_seq) is distinct from first_seq - 1 as begins from pieces
  ), numbered as (select *, count(*) filter (where begins) over (order by first_seq) as island from parted)
  select array_agg(gap) into merged from (
    select row(min(first_seq), max(last_seq), net, (array_agg(last_hash order by first_seq desc))[1])::activity_gaps as gap from numbered group by island
  ) as gaps;
  delete from activity_gaps g using unnest(merged) as m where g.network_id = net and g.first_seq between m.first_seq and m.last_seq;
  insert into activity_gaps select * from unnest(merged);
end $$;

-- What movements that are gone brought to whom, by day.
create function note_flows(net integer, gone transfers[]) returns void language sql as $$
  insert into cleared_days (network_id, day, player_credit, staff_credit, escrow, winnings, commission, tables, outside)
  select net, (at at time zone time_zone())::date, coalesce(sum(gain) filter (where kind = 1 and role = 'user'), 0),
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
    commission = cleared_days.commission + excluded.commission, tables = cleared_days.tables + excluded.tables, outside = cleared_days.outside + excluded.outside
$$;

-- What is no more asked of tickets, draws and the log, for movements that are gone.
create function note_movements(net integer, gone transfers[]) returns void language sql as $$
  with owned as materialized (
    select t.kind as what, t.id, t.amount, t.reference, t.actor_id, t.at, w.owner_id, w.kind as wallet_kind, case t.kind when 7 then t.to_wallet else t.from_wallet end as house
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

-- Removes the movements of a model between two instants that may go. Gives how many.
create function clear_transfers(net integer, clearing uuid, chosen text, since timestamptz, until timestamptz) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, chosen);
  gone transfers[];
begin
  if since < asked.starts_at or until > asked.ends_at then raise exception 'That is not of the time of the clearing.'; end if;
  with judged as materialized (select j.from_wallet, j.from_version from judged_transfers(net, chosen, since, until) as j where j.stays is null),
  deleted as (
    delete from transfers t using judged j where t.network_id = net and t.from_wallet = j.from_wallet and t.from_version = j.from_version returning t as gone_row
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

-- Removes all that there is of the tickets of draws, of those whose tickets may go. Gives how many tickets.
create function clear_tickets(net integer, clearing uuid, draw_ids uuid[]) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, 'ticket');
  chosen uuid[];
  total bigint;
begin
  select array_agg(j.draw_id) into chosen from judged_plays(net, asked.starts_at, asked.ends_at) as j where j.draw_id = any(draw_ids) and j.stays is null;
  if chosen is null then return 0; end if;

  insert into cleared_draws (network_id, draw_id, game_id, finished_at, status, source, tickets, players, stake, win, commissions)
  select net, d.id, d.game_id, d.finished_at, d.status, d.source, t.tickets, t.players, t.stake, coalesce(s.win, 0), coalesce(s.commissions, 0)
  from draws d
  join (select k.draw_id, count(*) as tickets, count(distinct k.account_id) as players, sum(k.stake) as stake
        from tickets k where k.network_id = net and k.draw_id = any(chosen) group by k.draw_id) as t on t.draw_id = d.id
  left join (select p.draw_id, sum(p.win) as win, sum(p.super_commission + p.dist_commission + p.retail_commission + p.user_commission) as commissions
             from player_settlements p where p.network_id = net and p.draw_id = any(chosen) group by p.draw_id) as s on s.draw_id = d.id
  where d.network_id = net;

  perform note_plays(net, chosen);

  delete from ticket_claims c using tickets t where t.network_id = net and t.draw_id = any(chosen) and c.network_id = net and c.ticket_id = t.id;
  delete from ticket_wins where network_id = net and draw_id = any(chosen);
  delete from exposures where network_id = net and draw_id = any(chosen);
  delete from player_settlements where network_id = net and draw_id = any(chosen);
  delete from draw_settlements where network_id = net and draw_id = any(chosen);
  with gone as (delete from tickets where network_id = net and draw_id = any(chosen) returning request)
  insert into cleared_requests (network_id, request) select net, request from gone;
  get diagnostics total = row_count;
  update draws set tickets_cleared = true where network_id = net and id = any(chosen);
  update clearings c set removed = removed + total,
    amount = c.amount + (select sum(stake) from cleared_draws where network_id = net and draw_id = any(chosen))
  where c.network_id = net and c.id = clearing and c.model = 'ticket';
  return total;
end $$;

-- What tickets and settlements asked for that are about to go, and what they are worth in the sums by day.
create function note_plays(net integer, chosen uuid[]) returns void language plpgsql as $$
begin
  perform add_marks(net, about, sum(mark)) from (
    with played as materialized (
      select t.id, t.account_id, t.stake, t.placed_at, d.status, d.finished_at, s.manual_claims, e.id as escrow, h.id as house, w.win
      from tickets t join draws d on d.network_id = net and d.id = t.draw_id
      left join draw_settlements s on s.network_id = net and s.draw_id = t.draw_id
      left join wallets e on e.network_id = net and e.owner_id = d.game_id and e.kind = 5
      left join wallets h on h.network_id = net and h.owner_id = d.game_id and h.kind = 4
      left join ticket_wins w on w.network_id = net and w.draw_id = t.draw_id and w.ticket_id = t.id
      where t.network_id = net and t.draw_id = any(chosen)
    ), earned as (
      select p.draw_id, level.account_id, sum(level.amount)::bigint as amount
      from player_settlements p join accounts a on a.id = p.account_id cross join lateral (
        values (a.chain[3], p.super_commission), (a.chain[4], p.dist_commission), (a.chain[5], p.retail_commission), (a.id, p.user_commission)
      ) as level (account_id, amount)
      where p.network_id = net and p.draw_id = any(chosen) and level.amount <> 0 group by p.draw_id, level.account_id
    )
    select 'credit' as about, owner_weight(account_id) * sum(ticket_mark(stake, escrow, 7, id, account_id, placed_at)::numeric
             + case when status = 'void' then ticket_mark(stake, escrow, 8, id, null, null) else 0 end
             + case when win is not null and manual_claims is not true then ticket_mark(win, house, 10, id, null, finished_at) else 0 end) as mark
    from played group by account_id
    union all
    select 'winnings', owner_weight(account_id) * sum(ticket_mark(win, house, 10, id, null, finished_at)::numeric)
    from played where win is not null and manual_claims group by account_id
    union all select 'commission', sum(amount_mark(amount, draw_id, account_id)) from earned
    union all select 'claim', sum(amount_mark(p.win, p.id, p.account_id)) from played p join ticket_claims c on c.network_id = net and c.ticket_id = p.id
  ) as marked where mark is not null group by about;

  insert into cleared_days (network_id, day, settled_worth)
  select net, (s.settled_at at time zone time_zone())::date,
         sum(settled_worth(p.account_id, d.game_id, date_bin('15 minutes', s.settled_at, timestamptz 'epoch'), p.stake, p.win, p.super_commission,
                           p.dist_commission, p.retail_commission, p.user_commission)) % 2147483647
  from draw_settlements s join draws d on d.network_id = net and d.id = s.draw_id
  join player_settlements p on p.network_id = net and p.draw_id = s.draw_id
  where s.network_id = net and s.draw_id = any(chosen) group by 2
  on conflict (network_id, day) do update set settled_worth = (cleared_days.settled_worth + excluded.settled_worth) % 2147483647;

  insert into cleared_days (network_id, day, claims_worth)
  select net, (part.at at time zone time_zone())::date, sum(claim_worth(part.account_id, part.held, part.claimed)) from (
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

-- Removes the draws that opened by the rows of the log from one to another and may go, with these rows. Gives how many draws.
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

-- Removes the rows of a network's log of a model, from one to another, that may go. Gives how many.
create function clear_log(net integer, clearing uuid, chosen text, first bigint, last bigint) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, chosen);
  gone activity[];
begin
  with judged as materialized (
    select j.seq from judged_log(net, chosen, asked.starts_at, asked.ends_at, first, last) as j where j.stays is null
  ), deleted as (delete from activity l using judged j where l.network_id = net and l.seq = j.seq returning l as gone_row)
  select array_agg(gone_row) into gone from deleted;
  if gone is null then return 0; end if;
  perform note_log_gaps(net, array_agg(g.seq), array_agg(g.hash)) from unnest(gone) as g;
  perform add_marks(net, 'ordered', sum(order_mark((g.detail ->> 'transferId')::uuid)))
  from unnest(gone) as g where g.detail ? 'transferId' having count(*) > 0;
  if chosen = 'result' then
    with told as (
      insert into cleared_results (network_id, draw_id) select distinct net, (g.detail ->> 'drawId')::uuid from unnest(gone) as g on conflict do nothing returning draw_id
    )
    update draws d set saved_result = null, saved_booster = null, saved_by = null, saved_at = null, saved_ip = null, confirmed_by = null, confirmed_ip = null
    from told where d.network_id = net and d.id = told.draw_id;
  end if;
  update clearings c set removed = removed + cardinality(gone), log_rows = log_rows + cardinality(gone)
  where c.network_id = net and c.id = clearing and c.model = chosen;
  return cardinality(gone);
end $$;

-- Takes the name, the note, the password and the known addresses from accounts of which nothing is left. Gives how many.
create function clear_accounts(net integer, clearing uuid) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, 'user');
  chosen uuid[];
begin
  select array_agg(j.account_id) into chosen from judged_accounts(net, asked.starts_at, asked.ends_at) as j where j.stays is null;
  if chosen is null then return 0; end if;
  delete from known_addresses where account_id = any(chosen);
  update accounts set username = 'cleared account ' || unique_id, note = '', password_hash = '' where id = any(chosen);
  update clearings c set removed = removed + cardinality(chosen) where c.network_id = net and c.id = clearing and c.model = 'user';
  return cardinality(chosen);
end $$;

-- Leaves the draws of the time of a clearing out of how often each outcome came, of which nothing is kept. Gives how many.
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

revoke execute on function clear_transfers, clear_frequency, clear_tickets, clear_draws, clear_log, clear_accounts, require_clearing, add_marks, note_wallet_gaps, note_log_gaps,
  note_flows, note_movements, note_plays from public;
