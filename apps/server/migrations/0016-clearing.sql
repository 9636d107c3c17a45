-- Checkpoints replace cleared rows, so the audit can still prove the rest. Only functions of 0017-clear-functions.sql
-- delete such rows, after checking each. Checkpoints omit the network number, which restores change.

-- One row per model; never deleted.
create table clearings (
  started_at timestamptz not null,
  finished_at timestamptz, -- null: running or interrupted
  starts_at timestamptz not null, -- inclusive
  ends_at timestamptz not null, -- exclusive
  removed bigint not null default 0, -- rows of the model
  log_rows bigint not null default 0, -- log rows, for any model
  amount bigint not null default 0, -- moved or staked
  id uuid not null, -- shared by models cleared together
  account_id uuid not null,
  network_id integer not null,
  username text not null,
  model text not null check (model in ('ticket', 'result', 'draw', 'commission', 'user', 'upcome', 'refertransaction',
    'userlog', 'usertransaction', 'frequency')),
  backup text not null, -- safety backup folder
  primary key (network_id, id, model),
  check (starts_at < ends_at)
);

-- Run of removed movements, replaced by one. Runs of a wallet never touch.
create table wallet_gaps (
  first_version bigint not null,
  last_version bigint not null,
  opening bigint not null, -- balance before
  closing bigint not null, -- balance after
  gained bigint not null, -- totals in and out
  spent bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  network_id integer not null,
  wallet_id integer not null,
  primary key (network_id, wallet_id, first_version),
  check (closing = opening + gained - spent and last_version >= first_version)
);

-- Run of removed log rows; the chain continues from the last hash. Runs never touch.
create table activity_gaps (
  first_seq bigint not null,
  last_seq bigint not null,
  network_id integer not null,
  last_hash bytea not null,
  primary key (network_id, first_seq),
  check (last_seq >= first_seq)
);

-- Without tickets, even if the draw is gone.
create table cleared_draws (
  finished_at timestamptz not null,
  collected_at timestamptz, -- start of piecewise settlement; null: settled whole
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

-- Log rows of saved results, hidden from the network instead of deleted. The superadmin still sees who declared,
-- replaced and confirmed them, and the stakes.
create table cleared_results (
  seq bigint not null,
  network_id integer not null,
  primary key (network_id, seq)
);

-- Requests of removed tickets, so none places another ticket.
create table cleared_requests (
  request uuid not null,
  network_id integer not null,
  primary key (network_id, request)
);

-- Per day: removed holdings as in `liability_days`, and hashes of removed settlements and claims.
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

-- Marks of removed demands minus those of removed movements; 0 if both are gone.
create table cleared_marks (
  network_id integer not null,
  about text not null check (about in ('credit', 'winnings', 'commission', 'collect', 'claim', 'ordered')),
  marks numeric not null,
  primary key (network_id, about)
);

-- Replaces settled_remainders: row count and total change.
create table cleared_remainders (
  change bigint not null,
  account_id uuid not null,
  network_id integer not null,
  settlements integer not null,
  primary key (network_id, account_id)
);

-- Marks and worths are sums of hashes that compare movements with their causes (apps/server/src/audit).

-- Ticket movement. Refunds have no own time.
create function ticket_mark(amount bigint, house integer, kind integer, ticket uuid, actor uuid, at timestamptz) returns bigint
language sql stable parallel safe as $$
  select hashint8extended(amount, hashint8extended(coalesce(house, 0)::bigint * 16 + kind,
    uuid_hash_extended(coalesce(ticket, '00000000-0000-0000-0000-000000000000'),
      uuid_hash_extended(coalesce(actor, '00000000-0000-0000-0000-000000000000'),
        hashfloat8extended(coalesce(date_part('epoch', at), 0), 0))))) >> 2
$$;
-- Keeps players' marks apart.
create function owner_weight(owner uuid) returns bigint language sql stable parallel safe as $$
  select (uuid_hash_extended(owner, 0) & 2147483647) + 1
$$;
-- Amount due to an account for a draw or ticket.
create function amount_mark(amount bigint, reference uuid, account uuid) returns bigint
language sql stable parallel safe as $$
  select hashint8extended(amount, uuid_hash_extended(reference, uuid_hash_extended(account, 0))) >> 2
$$;
create function order_mark(transfer uuid) returns bigint language sql stable parallel safe as $$
  select uuid_hash_extended(transfer, 0) >> 2
$$;
-- By game and quarter hour.
create function settled_worth(account uuid, game uuid, quarter timestamptz, stake bigint, win bigint, supers bigint,
  dist bigint, retail bigint, own bigint)
returns bigint language sql stable parallel safe as $$
  select (uuid_hash_extended(account, uuid_hash_extended(game, hashfloat8extended(date_part('epoch', quarter), 0))) & 2147483647)
    * ((stake % 2147483647 * 1301081123 % 2147483647 + win % 2147483647 * 982451653 % 2147483647
      + supers % 2147483647 * 1618033987 % 2147483647 + dist % 2147483647 * 756839101 % 2147483647
      + retail % 2147483647 * 2038074743 % 2147483647 + own % 2147483647 * 1122334467 % 2147483647) % 2147483647)
$$;
-- Wins by day.
create function claim_worth(account uuid, held bigint, claimed bigint) returns numeric language sql stable parallel safe as $$
  select (uuid_hash_extended(account, 0) & 2147483647)::numeric * (held::numeric * 1301081123 + claimed::numeric * 982451653)
$$;

-- After a gap at midnight, or the first of two midnights. Matches `dayStart` in packages/rules/src/time/zone-days.ts.
create function day_start(day date, zone text) returns timestamptz language sql stable parallel safe
  return least(day::timestamp at time zone zone, (day::timestamp - interval '1 hour') at time zone zone + interval '1 hour');
create function day_start(at timestamptz, zone text) returns timestamptz language sql stable parallel safe
  return day_start((at at time zone zone)::date, zone);

create function time_zone() returns text language sql stable parallel safe as $$
  select value from pinned_settings where name = 'time-zone'
$$;

-- `stays`: why a row must remain; null: removable. Likewise below.
-- Stakes of tickets bought ahead precede the opening time of their draws.
create function judged_transfers(net integer, chosen text, since timestamptz, until timestamptz)
returns table (from_wallet integer, from_version bigint, amount bigint, stays text) language sql stable as $$
  select t.from_wallet, t.from_version, t.amount, case
    when chosen = 'refertransaction' then case when f.kind in (6, 7) or o.kind in (6, 7) then 'border' end
    when chosen = 'commission' then case when
      coalesce((select sum(p.amount) from transfers p
        where p.network_id = net and p.from_wallet = t.to_wallet and p.from_version > t.to_version
                and p.kind not in (7, 9, 10, 11)), 0)
      + coalesce((select sum(g.spent) from wallet_gaps g
        where g.network_id = net and g.wallet_id = t.to_wallet and g.first_version > t.to_version), 0)
      < t.to_balance then 'unpaid' end
    when t.kind = 7 and t.at >= (select min(coalesce(d.bets_from, d.opens_at)) from draws d
      where d.network_id = net and d.status in ('open', 'closed', 'drawn', 'settling'))
      and exists (select from tickets k join draws d on d.network_id = net and d.id = k.draw_id
                  where k.network_id = net and k.id = t.reference and d.status in ('open', 'closed', 'drawn', 'settling')) then 'undrawn'
    when t.kind = 10 and o.kind = 3 and exists (select from tickets k where k.network_id = net and k.id = t.reference)
      and not exists (select from ticket_claims c where c.network_id = net and c.ticket_id = t.reference) then 'unclaimed'
  end
  from transfers t join wallets f on f.network_id = net and f.id = t.from_wallet join wallets o on o.network_id = net and o.id = t.to_wallet
  where t.network_id = net and t.at >= since and t.at < until and t.kind = any(case chosen
    when 'refertransaction' then '{3,4,12}' when 'usertransaction' then '{7,8,9,10,14}' when 'commission' then '{11}' end::smallint[])
$$;

-- Tickets of a corrected draw stay as its evidence.
create function judged_plays(net integer, since timestamptz, until timestamptz)
returns table (draw_id uuid, tickets integer, stays text) language sql stable as $$
  select d.id, d.ticket_count, case when exists (
      select from corrections c where c.network_id = net and c.draw_id = d.id) then 'corrected'
    when exists (
      select from draw_settlements s join ticket_wins w on w.network_id = net and w.draw_id = s.draw_id
      where s.network_id = net and s.draw_id = d.id and s.manual_claims
        and not exists (select from ticket_claims c where c.network_id = net and c.ticket_id = w.ticket_id)) then 'unclaimed' end
  from (
    select s.draw_id from draw_settlements s where s.network_id = net and s.settled_at >= since and s.settled_at < until
    union all
    select v.id from draws v where v.network_id = net and v.status = 'void' and v.ticket_count is distinct from 0 and not v.tickets_cleared
      and v.finished_at >= since and v.finished_at < until
  ) as ended join draws d on d.network_id = net and d.id = ended.draw_id
  where d.status in ('settled', 'void') and d.ticket_count > 0 and not d.tickets_cleared and d.finished_at >= since
    and d.finished_at < until
$$;

-- Smallest id at an instant.
create function least_id(at timestamptz) returns uuid language sql stable parallel safe as $$
  select (left(hex, 8) || '-' || right(hex, 4) || '-7000-8000-000000000000')::uuid
  from lpad(to_hex(greatest(0, floor(date_part('epoch', at) * 1000))::bigint), 12, '0') as hex
$$;

-- Draws that ended in a period, found through opening rows of the log. Draws opened together (same id suffix) stay or
-- go together, with their log row. `with_tickets`: assume removable tickets are gone.
create function judged_draws(net integer, since timestamptz, until timestamptz, first bigint, last bigint,
  with_tickets boolean default false)
returns table (draw_id uuid, opening bigint, stays text) language sql stable as $$
  with told as materialized (
    select seq, at, detail -> 'opened' ->> 'batch' as batch, (detail -> 'opened' ->> 'draws')::bigint as draws from activity l
    where l.network_id = net and l.seq between first and last and l.account_id is null and l.detail ? 'opened'
  ), judged as materialized (
    select t.seq, t.draws, d.id, d.finished_at >= since and d.finished_at < until as asked, case
        when d.ticket_count > 0 and not d.tickets_cleared
          and not (with_tickets and d.id in (select p.draw_id from judged_plays(net, since, until) as p
            where p.stays is null)) then 'tickets'
        when not exists (select from draws n where n.network_id = net and n.game_id = d.game_id and n.opens_at > d.opens_at) then 'newest'
      end as stays
    from draws d join told t on t.batch = right(d.id::text, 17)
    where d.network_id = net and d.id >= least_id((select min(at) from told) - interval '1 hour')
      and d.id < least_id((select max(at) from told) + interval '1 hour')
  ), batches as (
    select seq, count(*) = max(draws) and count(stays) = 0 and bool_and(asked is true) as goes from judged group by seq
  )
  select j.id, j.seq, coalesce(j.stays, case when not b.goes then 'together' end) from judged j join batches b using (seq) where j.asked
$$;

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
             where d.network_id = net and g.game_key = c.game and d.draws_at > c.at - interval '1 day'
               and d.id < least_id(c.next_at + interval '1 day'))) as needed
    from (select *, lead(at) over (partition by what, admin, game order by id) as next_at from changes) as c
      where c.network_id = net group by id
  )
  select l.seq, case
    when chosen = 'upcome' then case when u.in_force then 'in force' when u.needed then 'draws' end
    when chosen = 'result' then case when exists (
      select from draws d where d.network_id = net and d.id::text = l.detail ->> 'drawId'
        and (d.status not in ('settled', 'void') or d.finished_at >= until)) then 'undrawn' end
    when l.detail ? 'cleared' then 'clearing'
    -- Restores need this row to keep an account inactive.
    when l.detail ?| array['parentId', 'refId', 'commission', 'returned', 'moved', 'active'] or l.subject = 'Signed up'
      or l.detail @? '$.wrote[*] ? (@.table == "accounts" && @.fields[*] == "active")' then 'account'
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

create function judged_accounts(net integer, since timestamptz, until timestamptz) returns table (account_id uuid, stays text)
language sql stable as $$
  select a.id, case when exists (select from wallets w where w.network_id = net and w.owner_id = a.id and w.balance <> 0) then 'credit' end
  from accounts a where a.network_id = net and a.deleted_at >= since and a.deleted_at < until
    and a.username <> 'cleared account ' || a.unique_id
$$;

-- Settled draws counted in outcome frequencies.
create function judged_frequency(net integer, since timestamptz, until timestamptz) returns table (draw_id uuid, stays text)
language sql stable as $$
  select d.id, null::text from draws d where d.network_id = net and d.status = 'settled' and d.draws_at >= since and d.draws_at < until
    and not exists (select from clearings c where c.network_id = net and c.model = 'frequency' and c.finished_at is not null
                      and d.draws_at >= c.starts_at and d.draws_at < c.ends_at)
$$;

-- Requires a running clearing of finished, summed days.
create function require_clearing(net integer, clearing uuid, chosen text) returns clearings language plpgsql as $$
declare found clearings;
begin
  select * into found from clearings c where c.network_id = net and c.id = clearing and c.model = chosen
    and c.finished_at is null for update;
  if found.id is null then raise exception 'No clearing of % of network % is under way under this id.', chosen, net; end if;
  if net = 0 then raise exception 'Nothing of the root is cleared.'; end if;
  if found.ends_at > (select day_start(max(day) + 1, time_zone()) from liability_days where network_id = 0) is not false then
    raise exception 'Only days that are over and summed are cleared.';
  end if;
  return found;
end $$;
