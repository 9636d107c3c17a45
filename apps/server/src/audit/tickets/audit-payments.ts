import {
  checkWith,
  MOST_PROBLEMS,
  problemsOf,
  type Check,
  type CheckBySql,
  amountMark,
  explainByClearing,
  mayBeCleared,
} from '../audit-check.ts';
import { WALLETS, TRANSFERS } from '../audited-kinds.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql, inKinds, kindName, type Sql } from '../../platform/db/sql/sql.ts';
import { TRANSFER_KINDS, WALLET_KINDS, NOBODY } from '@drawhouse/rules/records/ledger-kinds';

const { stake, win, refund, collect } = TRANSFERS;
const { credit, commission, winnings, table, escrow } = WALLETS;
const ABOUT_TICKETS = inKinds(TRANSFER_KINDS, 'stake', 'win', 'refund');
const KIND = kindName(TRANSFER_KINDS, 'kind');

/** The player's wallet and the game's, in a ticket transfer `m`. */
const PLAYER = sql`case m.kind when ${stake} then m.from_wallet else m.to_wallet end`;
const HOUSE = sql`case m.kind when ${stake} then m.to_wallet else m.from_wallet end`;

type Mark = Readonly<Record<'kind' | 'ticket' | 'amount' | 'house' | 'actor' | 'at', Sql>>;

/**
 * Order-independent fingerprint. Each part seeds the next hash, so sums match only for equal sets. Refunds have no own
 * time.
 */
const markOf = ({ kind, ticket, amount, house, actor, at }: Mark): Sql => sql`(hashint8extended(${amount},
  hashint8extended(coalesce(${house}, 0)::bigint * 16 + ${kind}, uuid_hash_extended(coalesce(${ticket}, '${sql.raw(NOBODY)}'),
  uuid_hash_extended(coalesce(${actor}, '${sql.raw(NOBODY)}'), hashfloat8extended(coalesce(date_part('epoch', ${at}), 0), 0))))) >> 2)`;

/** Owners cannot swap movements unnoticed. */
const OWNER_WEIGHT = '((uuid_hash_extended(owner_id, 0) & 2147483647) + 1)';

/** Null owner: missing wallet. */
interface Unexplained {
  readonly tickets: number;
  readonly transfers: number;
  readonly networks: readonly number[];
  readonly owners: readonly string[];
  /** Tickets or movements were cleared, so most owners differ legitimately. */
  readonly cleared: ReadonlySet<number>;
}

const markDue = (kind: Sql, amount: Sql, house: Sql, at: Sql): Sql =>
  markOf({ kind, ticket: sql`t.id`, amount, house, actor: kind === stake ? sql`t.account_id` : sql`null::uuid`, at });

const STAKE_DUE = markDue(stake, sql`t.stake`, sql`d.escrow_wallet`, sql`t.placed_at`);
const REFUND_DUE = markDue(refund, sql`t.stake`, sql`d.escrow_wallet`, sql`null::timestamptz`);
const WIN_DUE = markDue(win, sql`w.win`, sql`d.table_wallet`, sql`coalesce(w.paid_at, d.finished_at)`);
const MARK_OF_TRANSFER = markOf({
  kind: sql`m.kind`,
  ticket: sql`m.reference`,
  amount: sql`m.amount`,
  house: HOUSE,
  actor: sql`m.actor_id`,
  at: sql`case m.kind when ${refund} then null else m.at end`,
});

interface ComparedOwner {
  readonly network_id: number;
  readonly owner_id: string;
  readonly is_cleared: boolean;
  readonly tickets: bigint;
  readonly transfers: bigint;
}

/** One pass each over transfers and tickets, with memory per player. Stored marks replace cleared rows. */
async function findUnexplained(db: Queryable): Promise<Unexplained> {
  const rows = await db.query<ComparedOwner>(
    sql`with due as (
       select t.network_id, t.account_id as owner_id, count(*) as tickets,
              sum(${STAKE_DUE}) + coalesce(sum(${REFUND_DUE}) filter (where d.status = 'void'), 0)
                + coalesce(sum(${WIN_DUE}) filter (where w.win is not null and d.manual_claims is not true), 0) as credit,
              coalesce(sum(${WIN_DUE}) filter (where w.win is not null and d.manual_claims), 0) as winnings
       from tickets t left join (
         select d.network_id, d.id, d.status, d.finished_at,
           coalesce(s.manual_claims, b.manual_claims) as manual_claims, e.id as escrow_wallet, h.id as table_wallet
         from draws d left join draw_settlements s on s.network_id = d.network_id and s.draw_id = d.id
         left join draw_settlings b on b.network_id = d.network_id and b.draw_id = d.id
         left join wallets e on e.network_id = d.network_id and e.owner_id = d.game_id and e.kind = ${escrow}
         left join wallets h on h.network_id = d.network_id and h.owner_id = d.game_id and h.kind = ${table}
       ) as d on d.network_id = t.network_id and d.id = t.draw_id
       left join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
       group by t.network_id, t.account_id
     ), marked as (
       select m.network_id, ${PLAYER} as wallet, count(*) as transfers, sum(${MARK_OF_TRANSFER}) as marks
       from transfers m where m.kind in ${ABOUT_TICKETS} group by m.network_id, wallet
     ), moved as (
       select m.network_id, coalesce(p.owner_id, '${sql.raw(NOBODY)}') as owner_id, sum(transfers) as transfers,
              coalesce(sum(marks) filter (where p.kind = ${credit}), 0) as credit,
                coalesce(sum(marks) filter (where p.kind = ${winnings}), 0) as winnings,
              bool_or(p.kind is null or p.kind not in (${credit}, ${winnings})) as elsewhere
       from marked m left join wallets p on p.network_id = m.network_id and p.id = m.wallet
       group by m.network_id, coalesce(p.owner_id, '${sql.raw(NOBODY)}')
     ), differing as materialized (
       select network_id, owner_id, coalesce(tickets, 0) as tickets, coalesce(transfers, 0) as transfers, elsewhere is true as elsewhere,
              coalesce(moved.credit, 0) - coalesce(due.credit, 0) as credit,
              coalesce(moved.winnings, 0) - coalesce(due.winnings, 0) as winnings
       from due full join moved using (network_id, owner_id)
     ), cleared as (
       -- Due and moved amounts differ by exactly the cleared amounts.
       select network_id, true as explains from cleared_marks left join (
         select network_id, sum(credit * ${sql.raw(OWNER_WEIGHT)}) as credit,
           sum(winnings * ${sql.raw(OWNER_WEIGHT)}) as winnings from differing group by network_id
       ) as differ using (network_id)
       where about in ('credit', 'winnings') group by network_id
       having sum(case about when 'credit' then marks else 0 end) = coalesce(min(credit), 0)
         and sum(case about when 'winnings' then marks else 0 end) = coalesce(min(winnings), 0)
     ), compared as materialized (
       select network_id, owner_id, tickets, transfers, elsewhere or (explains is not true and (credit <> 0 or winnings <> 0)) as wrong
       from differing left join cleared using (network_id)
       union all
       -- Nothing differs, yet only one side was cleared.
       select network_id, '${sql.raw(NOBODY)}', 0, 0, true from cleared_marks m
       where about in ('credit', 'winnings') and marks <> 0 and not exists (select from cleared c where c.network_id = m.network_id)
     ), counted as (select coalesce(sum(tickets), 0)::bigint as tickets, coalesce(sum(transfers), 0)::bigint as transfers from compared)
     select counted.*, wrong.network_id, wrong.owner_id, wrong.is_cleared from counted left join (
       select network_id, owner_id, exists (select from cleared_marks m where m.network_id = compared.network_id) as is_cleared
       from compared where wrong order by network_id, owner_id limit ${sql.lit(MOST_PROBLEMS)}
     ) as wrong on true`,
  );
  const wrong = rows.filter((row) => row.owner_id !== null);
  return {
    tickets: Number(rows[0]!.tickets),
    transfers: Number(rows[0]!.transfers),
    networks: wrong.map((row) => row.network_id),
    owners: wrong.map((row) => row.owner_id),
    cleared: new Set(wrong.filter((row) => row.is_cleared).map((row) => row.network_id)),
  };
}

const movementsOf = ({ networks, owners }: Pick<Unexplained, 'networks' | 'owners'>): Sql => sql`unexplained as (
    select * from unnest(${networks}::int[], ${owners}::uuid[]) as u (network_id, owner_id)
  ), moved as materialized (
    select m.*, player.owner_id as player_id, player.kind as player_kind, house.owner_id as house_id, house.kind as house_kind
    from transfers m left join wallets player on player.network_id = m.network_id and player.id = ${PLAYER}
    left join wallets house on house.network_id = m.network_id and house.id = ${HOUSE}
    where m.kind in ${ABOUT_TICKETS} and (m.network_id, coalesce(player.owner_id, ${NOBODY})) in (select * from unexplained)
  )`;

async function problemsBetween(db: Queryable, { networks, owners }: Unexplained): Promise<readonly string[]> {
  if (owners.length === 0) return [];
  return problemsOf(
    db,
    sql`with ${movementsOf({ networks, owners })}, compared as (
       select m.*, k.id as ticket_id, k.account_id, d.game_id, k.placed_at, coalesce(w.paid_at, d.finished_at) as due_at,
              case m.kind when ${stake} then m.at = k.placed_at when ${win} then m.at is not distinct
                from coalesce(w.paid_at, d.finished_at) else true end as right_time,
              coalesce(m.player_id = k.account_id
                and m.player_kind = case when m.kind = ${win} and coalesce(s.manual_claims, b.manual_claims)
                  then ${winnings} else ${credit} end
                and m.actor_id is not distinct from case m.kind when ${stake} then k.account_id end, false) as right_player,
              coalesce(m.house_kind = case m.kind when ${win} then ${table} else ${escrow}
                end and m.house_id = d.game_id, false) as right_house
       from moved m left join tickets k on k.network_id = m.network_id and k.id = m.reference
       left join draws d on d.network_id = k.network_id and d.id = k.draw_id
       left join draw_settlements s on s.network_id = k.network_id and s.draw_id = k.draw_id
       left join draw_settlings b on b.network_id = k.network_id and b.draw_id = k.draw_id
       left join ticket_wins w on w.network_id = k.network_id and w.draw_id = k.draw_id and w.ticket_id = k.id
     )
     select case
       when ticket_id is null and ${mayBeCleared('network_id', 'at', ['ticket'])} then null
       when ticket_id is null then
         format('transfer %s of network %s (%s of %s hundredths) is about ticket %s, which does not exist', id,
           network_id, ${KIND}, amount, reference)
       when not right_player then
         format('transfer %s of network %s is the %s of ticket %s for player %s, by %s; the ticket is of player %s', id, network_id,
                ${KIND}, ticket_id, player_id, coalesce(actor_id::text, 'the draw'), account_id)
       when not right_time and kind = ${stake} then
         format('transfer %s of network %s is the stake of ticket %s and was made at %s; the ticket was placed at %s', id, network_id,
                ticket_id, at, placed_at)
       when not right_time then
         format('transfer %s of network %s is the win of ticket %s and was made at %s; it was paid at %s', id, network_id,
                ticket_id, at, coalesce(due_at::text, 'no time'))
       when not right_house then
         format('transfer %s of network %s is the %s of ticket %s with the %s of game %s; the ticket is of game %s', id, network_id,
                ${KIND}, ticket_id, ${kindName(WALLET_KINDS, 'house_kind')}, house_id, game_id)
     end as problem
     from compared where ticket_id is null or not right_player or not right_house or not right_time order by network_id, id`,
  );
}

async function problemsOnce(db: Queryable, { networks, owners }: Unexplained): Promise<readonly string[]> {
  if (owners.length === 0) return [];
  return problemsOf(
    db,
    sql`with ${movementsOf({ networks, owners })}, summed as (
       select network_id, reference, count(*) filter (where kind = ${stake}) as stakes,
         sum(amount) filter (where kind = ${stake}) as staked,
              count(*) filter (where kind = ${win}) as wins, sum(amount) filter (where kind = ${win}) as won,
              count(*) filter (where kind = ${refund}) as refunds, sum(amount) filter (where kind = ${refund}) as refunded
       from moved group by network_id, reference
     ), judged as (
       select t.network_id, t.id, case
         when ${mayBeCleared('t.network_id', 't.placed_at', ['usertransaction'])} then null
         when m.stakes is distinct from 1 or m.staked <> t.stake then
           format('ticket %s of network %s has a stake of %s hundredths; %s were taken for it in %s transfers', t.id, t.network_id,
                  t.stake, coalesce(m.staked, 0), coalesce(m.stakes, 0))
         when coalesce(w.win, 0) <> coalesce(m.won, 0) or coalesce(m.wins, 0) > 1 then
           format('ticket %s of network %s won %s hundredths and was paid %s in %s transfers', t.id, t.network_id, coalesce(w.win, 0),
                  coalesce(m.won, 0), coalesce(m.wins, 0))
         when coalesce(m.refunded, 0) <> case when d.status = 'void' then t.stake else 0 end or coalesce(m.refunds, 0) > 1 then
           format('ticket %s of network %s has a stake of %s hundredths and its draw is %s; %s were refunded in %s transfers', t.id,
                  t.network_id, t.stake, d.status, coalesce(m.refunded, 0), coalesce(m.refunds, 0))
       end as problem
       from tickets t left join draws d on d.network_id = t.network_id and d.id = t.draw_id
       left join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
       left join summed m on m.network_id = t.network_id and m.reference = t.id
       -- A movement by another actor leaves this account's movements unexplained too.
       where (t.network_id, t.account_id) in (select * from unexplained)
     )
     select problem from judged where problem is not null order by network_id, id`,
  );
}

async function auditMovements(db: Queryable): Promise<Check[]> {
  const unexplained = await findUnexplained(db);
  const { tickets, transfers, networks, owners } = unexplained;
  const between = await problemsBetween(db, unexplained);
  const once = await problemsOnce(db, unexplained);
  const isUnnamed = between.length + once.length === 0;
  return [
    { name: 'every stake, win and refund is between its player and the game', rows: transfers, problems: between },
    {
      name: 'every ticket was paid for, won and refunded once',
      rows: tickets,
      problems: [
        ...once,
        ...(isUnnamed ? owners : []).flatMap((owner, index) =>
          unexplained.cleared.has(networks[index]!)
            ? []
            : `the movements for tickets of ${owner} in network ${networks[index]} do not match the tickets`,
        ),
        ...(isUnnamed ? [...unexplained.cleared] : []).map(
          (network) =>
            `network ${network}: what was cleared does not account for what was moved for tickets and is not what they ask for`,
        ),
      ],
    },
  ];
}

/** Includes cleared draws. */
const ENDED = sql`(
  select network_id, id, game_id, finished_at from draws
  union all
  select c.network_id, c.draw_id, c.game_id, c.finished_at from cleared_draws c
  where not exists (select from draws d where d.network_id = c.network_id and d.id = c.draw_id)
)`;

export async function auditPayments(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [...(await auditMovements(db)), await stakesCollected(check), await commissionsPaid(check)];
}

function stakesCollected(check: CheckBySql): Promise<Check> {
  return check(
    'every settled draw collected its stakes once',
    'draws',
    sql`staked as (
         select t.network_id, t.draw_id, sum(t.stake) as stake from tickets t
           join draws d on d.network_id = t.network_id and d.id = t.draw_id
         where d.status in ('settling', 'settled') group by t.network_id, t.draw_id
         union all select network_id, draw_id, stake from cleared_draws where status = 'settled'
       ), collected as (
         select t.network_id, t.reference as draw_id, count(*) as count, sum(t.amount) as amount,
                min(t.at) as at,
                bool_and(d.kind = ${escrow} and c.kind = ${table} and d.owner_id = c.owner_id and d.owner_id = draw.game_id
                         and t.actor_id is null and t.at = coalesce(b.began_at, past.collected_at, draw.finished_at)) as is_right
         from transfers t join wallets d on d.network_id = t.network_id and d.id = t.from_wallet
         join wallets c on c.network_id = t.network_id and c.id = t.to_wallet
         left join ${ENDED} as draw on draw.network_id = t.network_id and draw.id = t.reference
         left join draw_settlings b on b.network_id = t.network_id and b.draw_id = t.reference
         left join cleared_draws past on past.network_id = t.network_id and past.draw_id = t.reference
         where t.kind = ${collect} group by t.network_id, t.reference
       ), compared as materialized (
         select *, format('draw %s of network %s was settled with stakes of %s hundredths; %s were collected in %s transfers%s', draw_id,
                          network_id, coalesce(stake, 0), coalesce(amount, 0), coalesce(count, 0),
                          case when is_right then '' else ', not from its escrow to its table at that time' end) as problem
         from staked full join collected using (network_id, draw_id)
         where stake is distinct from amount or count > 1 or is_right is not true
       ), one_sided as (
         select c.network_id, ${amountMark('c.stake::bigint', 'c.draw_id', `'${NOBODY}'`)} as mark, draw.finished_at as at, problem
         from compared c left join ${ENDED} as draw on draw.network_id = c.network_id and draw.id = c.draw_id where c.amount is null
       ), ${explainByClearing({ about: 'collect', what: 'stakes', models: ['usertransaction'] })}, wrong as (
         select problem from compared where amount is not null union all select problem from unexplained
       )`,
  );
}

function commissionsPaid(check: CheckBySql): Promise<Check> {
  return check(
    'every commission was paid to its earner',
    'paid',
    sql`-- Those above the players first in sums: there are few of them.
       below as (
         select s.network_id, s.draw_id, a.chain[3:5] as chain, sum(s.super_commission) as super, sum(s.dist_commission) as dist,
                sum(s.retail_commission) as retail
         from player_settlements s join accounts a on a.id = s.account_id
         -- While a draw is settling, ancestors are paid last.
         where s.draw_id <> all(array(select id from draws where status = 'settling')) group by s.network_id, s.draw_id, a.chain[3:5]
       ), earned as (
         select b.network_id, b.draw_id, b.chain[level.place] as account_id, sum(level.amount) as amount
         from below b cross join lateral (values (1, b.super), (2, b.dist), (3, b.retail)) as level (place, amount)
         where level.amount <> 0 group by b.network_id, b.draw_id, b.chain[level.place]
         union all
         select network_id, draw_id, account_id, user_commission from player_settlements where user_commission <> 0
       ), paid as (
         select t.network_id, t.reference as draw_id, c.owner_id as account_id, count(*) as count, sum(t.amount) as amount, min(t.at) as at,
                bool_and(d.kind = ${table} and d.owner_id = draw.game_id and c.kind = ${commission} and t.actor_id is null) as is_right
         from transfers t join wallets d on d.network_id = t.network_id and d.id = t.from_wallet
         join wallets c on c.network_id = t.network_id and c.id = t.to_wallet
         left join ${ENDED} as draw on draw.network_id = t.network_id and draw.id = t.reference
         where t.kind = ${TRANSFERS.commission} group by t.network_id, t.reference, c.owner_id
       ), compared as materialized (
         select network_id, draw_id, account_id, e.amount as due, p.amount as paid, p.at, p.count > 1
           or p.is_right is false as broken,
             format('account %s of network %s earned %s hundredths of commission in draw %s and was paid %s in %s transfers%s', account_id,
                       network_id, coalesce(e.amount, 0), draw_id, coalesce(p.amount, 0), coalesce(p.count, 0),
                       case when p.is_right is not false then '' else ', not from the table of the game to its commission' end) as problem
         from earned e full join paid p using (network_id, draw_id, account_id)
         where e.amount is distinct from p.amount or p.count > 1 or p.is_right is not true
       ), one_sided as (
         select c.network_id,
                case when due is null then -${amountMark('c.paid::bigint', 'c.draw_id', 'c.account_id')}
                  else ${amountMark('c.due::bigint', 'c.draw_id', 'c.account_id')} end as mark,
                coalesce(c.at, draw.finished_at) as at, problem
         from compared c left join ${ENDED} as draw on draw.network_id = c.network_id and draw.id = c.draw_id
           where not coalesce(broken, false) and (due is null or paid is null)
       ), ${explainByClearing({ about: 'commission', what: 'commissions', models: ['ticket', 'commission'] })}, wrong as (
         select problem from compared where coalesce(broken, false) or (due is not null and paid is not null)
           union all select problem from unexplained
       )`,
  );
}
