-- Clearing replaces rows that it removes with checkpoints, so that the audit can still prove the rest. Only the functions of
-- 0010-clear-functions.sql delete rows of the record, and they check each row themselves. No checkpoint holds the number of a network: a
-- restored network gets another one.

-- Clearings, a row for each model; never deleted.
create table clearings (
  started_at timestamptz not null,
  finished_at timestamptz, -- null: running, or cut off
  starts_at timestamptz not null, -- inclusive
  ends_at timestamptz not null, -- exclusive
  removed bigint not null default 0, -- rows of the model
  log_rows bigint not null default 0, -- rows of the log, whatever the model
  amount bigint not null default 0, -- what these moved or staked
  id uuid not null, -- shared by all models that were cleared together
  account_id uuid not null,
  network_id integer not null,
  username text not null,
  model text not null check (model in ('ticket', 'result', 'draw', 'commission', 'user', 'upcome', 'refertransaction', 'userlog', 'usertransaction', 'frequency')),
  backup text not null, -- the folder of the backup that was taken first
  primary key (network_id, id, model),
  check (starts_at < ends_at)
);

-- A run of removed movements of a wallet, as one movement. No two runs of a wallet touch.
create table wallet_gaps (
  first_version bigint not null,
  last_version bigint not null,
  opening bigint not null, -- the balance before the first
  closing bigint not null, -- after the last
  gained bigint not null, -- the sum of what came in, and of what went out
  spent bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  network_id integer not null,
  wallet_id integer not null,
  primary key (network_id, wallet_id, first_version),
  check (closing = opening + gained - spent and last_version >= first_version)
);

-- A run of removed rows of a log: the hash chain goes on from the hash of the last. No two runs of a log touch.
create table activity_gaps (
  first_seq bigint not null,
  last_seq bigint not null,
  network_id integer not null,
  last_hash bytea not null,
  primary key (network_id, first_seq),
  check (last_seq >= first_seq)
);

-- Totals of draws whose tickets are gone, whether the draw is still there or not.
create table cleared_draws (
  finished_at timestamptz not null,
  collected_at timestamptz, -- when its escrow went to the table, if it was settled in pieces; null: when it was finished
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

-- Clearing saved results hides their log rows from the network and deletes nothing: the superadmin still sees who declared, replaced and confirmed a result, and
-- with which stakes. These rows are hidden.
create table cleared_results (
  seq bigint not null,
  network_id integer not null,
  primary key (network_id, seq)
);

-- Requests of removed tickets: none makes a ticket again.
create table cleared_requests (
  request uuid not null,
  network_id integer not null,
  primary key (network_id, request)
);

-- By day of the time zone: what the removed movements brought to each holder, as in `liability_days`, and the worth of removed settlements
-- and claims (settled_worth, claim_worth).
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

-- By subject: the marks of removed rows that ask for a movement, less those of removed movements. Where both are gone it is 0.
create table cleared_marks (
  network_id integer not null,
  about text not null check (about in ('credit', 'winnings', 'commission', 'collect', 'claim', 'ordered')),
  marks numeric not null,
  primary key (network_id, about)
);

-- Replaces the settled_remainders of draws whose tickets were cleared: how many they were, and by how much they changed the remainder.
create table cleared_remainders (
  change bigint not null,
  account_id uuid not null,
  network_id integer not null,
  settlements integer not null,
  primary key (network_id, account_id)
);

-- Marks and worths are sums of hashes, by which the audit compares movements with the rows that ask for them (apps/server/src/audit).

-- The mark of a movement about a ticket. A refund has no time of its own.
create function ticket_mark(amount bigint, house integer, kind integer, ticket uuid, actor uuid, at timestamptz) returns bigint
language sql stable parallel safe as $$
  select hashint8extended(amount, hashint8extended(coalesce(house, 0)::bigint * 16 + kind,
    uuid_hash_extended(coalesce(ticket, '00000000-0000-0000-0000-000000000000'),
      uuid_hash_extended(coalesce(actor, '00000000-0000-0000-0000-000000000000'),
        hashfloat8extended(coalesce(date_part('epoch', at), 0), 0))))) >> 2
$$;
-- The factor of the marks of a player's movements: one player's can't pass for another's.
create function owner_weight(owner uuid) returns bigint language sql stable parallel safe as $$
  select (uuid_hash_extended(owner, 0) & 2147483647) + 1
$$;
-- The mark of an amount that a draw or a ticket owes an account.
create function amount_mark(amount bigint, reference uuid, account uuid) returns bigint
language sql stable parallel safe as $$
  select hashint8extended(amount, uuid_hash_extended(reference, uuid_hash_extended(account, 0))) >> 2
$$;
-- The mark of a transfer that somebody ordered.
create function order_mark(transfer uuid) returns bigint language sql stable parallel safe as $$
  select uuid_hash_extended(transfer, 0) >> 2
$$;
-- The worth of a player's settlements in a game and a quarter of an hour.
create function settled_worth(account uuid, game uuid, quarter timestamptz, stake bigint, win bigint, supers bigint, dist bigint, retail bigint, own bigint)
returns bigint language sql stable parallel safe as $$
  select (uuid_hash_extended(account, uuid_hash_extended(game, hashfloat8extended(date_part('epoch', quarter), 0))) & 2147483647)
    * ((stake % 2147483647 * 1301081123 % 2147483647 + win % 2147483647 * 982451653 % 2147483647
      + supers % 2147483647 * 1618033987 % 2147483647 + dist % 2147483647 * 756839101 % 2147483647
      + retail % 2147483647 * 2038074743 % 2147483647 + own % 2147483647 * 1122334467 % 2147483647) % 2147483647)
$$;
-- The worth of what a player left to be claimed, and claimed, on a day.
create function claim_worth(account uuid, held bigint, claimed bigint) returns numeric language sql stable parallel safe as $$
  select (uuid_hash_extended(account, 0) & 2147483647)::numeric * (held::numeric * 1301081123 + claimed::numeric * 982451653)
$$;

-- The first instant of a day of a time zone: after the gap if clocks skip midnight, the first of two midnights. The same as `dayStart` of
-- packages/rules/src/zone-days.ts.
create function day_start(day date, zone text) returns timestamptz language sql stable parallel safe
  return least(day::timestamp at time zone zone, (day::timestamp - interval '1 hour') at time zone zone + interval '1 hour');
-- The first instant of the day of an instant.
create function day_start(at timestamptz, zone text) returns timestamptz language sql stable parallel safe
  return day_start((at at time zone zone)::date, zone);

create function time_zone() returns text language sql stable parallel safe as $$
  select value from pinned_settings where name = 'time-zone'
$$;

-- The movements of a model between two instants, by their key, each with the reason that it stays; null: it may go.
create function judged_transfers(net integer, chosen text, since timestamptz, until timestamptz)
returns table (from_wallet integer, from_version bigint, amount bigint, stays text) language sql stable as $$
  select t.from_wallet, t.from_version, t.amount, case
    when chosen = 'refertransaction' then case when f.kind in (6, 7) or o.kind in (6, 7) then 'border' end
    when chosen = 'commission' then case when
      coalesce((select sum(p.amount) from transfers p where p.network_id = net and p.from_wallet = t.to_wallet and p.from_version > t.to_version
                and p.kind not in (7, 9, 10, 11)), 0)
      + coalesce((select sum(g.spent) from wallet_gaps g where g.network_id = net and g.wallet_id = t.to_wallet and g.first_version > t.to_version), 0)
      < t.to_balance then 'unpaid' end
    when t.kind = 7 and t.at >= (select min(d.opens_at) from draws d where d.network_id = net and d.status in ('open', 'closed', 'drawn', 'settling'))
      and exists (select from tickets k join draws d on d.network_id = net and d.id = k.draw_id
                  where k.network_id = net and k.id = t.reference and d.status in ('open', 'closed', 'drawn', 'settling')) then 'undrawn'
    when t.kind = 10 and o.kind = 3 and exists (select from tickets k where k.network_id = net and k.id = t.reference)
      and not exists (select from ticket_claims c where c.network_id = net and c.ticket_id = t.reference) then 'unclaimed'
  end
  from transfers t join wallets f on f.network_id = net and f.id = t.from_wallet join wallets o on o.network_id = net and o.id = t.to_wallet
  where t.network_id = net and t.at >= since and t.at < until and t.kind = any(case chosen
    when 'refertransaction' then '{3,4,12}' when 'usertransaction' then '{7,8,9,10,14}' when 'commission' then '{11}' end::smallint[])
$$;

-- The draws with tickets that ended between two instants, each with the reason that its tickets stay.
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

-- The least id that the server can make at an instant.
create function least_id(at timestamptz) returns uuid language sql stable parallel safe as $$
  select (left(hex, 8) || '-' || right(hex, 4) || '-7000-8000-000000000000')::uuid
  from lpad(to_hex(greatest(0, floor(date_part('epoch', at) * 1000))::bigint), 12, '0') as hex
$$;

-- The draws that ended between two instants and opened by a range of rows of the log, each with that row and the reason that it stays.
-- Draws that opened together (their ids end alike) stay and go together, with their row of the log. `with_tickets` judges as if all tickets
-- that may go were gone.
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

-- The rows of a network's log of a model between two instants, each with the reason that it stays.
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
    -- By this row a restore keeps an account inactive.
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

-- The accounts of a network that were deleted between two instants, each with the reason that its names stay.
create function judged_accounts(net integer, since timestamptz, until timestamptz) returns table (account_id uuid, stays text)
language sql stable as $$
  select a.id, case when exists (select from wallets w where w.network_id = net and w.owner_id = a.id and w.balance <> 0) then 'credit' end
  from accounts a where a.network_id = net and a.deleted_at >= since and a.deleted_at < until and a.username <> 'cleared account ' || a.unique_id
$$;

-- The settled draws between two instants that count in the frequency of outcomes.
create function judged_frequency(net integer, since timestamptz, until timestamptz) returns table (draw_id uuid, stays text)
language sql stable as $$
  select d.id, null::text from draws d where d.network_id = net and d.status = 'settled' and d.draws_at >= since and d.draws_at < until
    and not exists (select from clearings c where c.network_id = net and c.model = 'frequency' and c.finished_at is not null
                      and d.draws_at >= c.starts_at and d.draws_at < c.ends_at)
$$;
