import { RATES } from '../accounts/audit-rates.ts';
import { columnsOf, SETTLEMENT_SUMS, sumsOf } from '@drawhouse/rules/records/settlement-sums';
import { checkWith, type Check } from '../audit-check.ts';
import { WALLETS } from '../audited-kinds.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

const LEVELS = [
  ['superdistributor', 'super_commission', 3],
  ['distributor', 'dist_commission', 4],
  ['retailer', 'retail_commission', 5],
  ['player', 'user_commission', 6],
] as const;

export async function auditSettlements(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [
    await check(
      "every settled draw with tickets has its settlement, at the time of the draw's settlement",
      'draw_settlements',
      sql`settled as (
         select d.network_id, d.id as draw_id, d.finished_at from draws d
         where d.status = 'settled' and exists (select from tickets t where t.network_id = d.network_id and t.draw_id = d.id)
       ), wrong as (
         select format('the settlement of draw %s of network %s is of %s; the draw was settled at %s', draw_id, network_id,
                       coalesce(s.settled_at::text, 'no time'), coalesce(d.finished_at::text, 'no time, or has no tickets')) as problem
         from draw_settlements s full join settled d using (network_id, draw_id) where s.settled_at is distinct from d.finished_at
       )`,
    ),
    await auditCommissions(db),
    await auditRemainders(db),
    await auditRollups(db),
  ];
}

const ofLevels = (between: string, sqlOf: (level: string, column: string, depth: number) => string): Sql =>
  sql.raw(LEVELS.map(([level, column, depth]) => sqlOf(level, column, depth)).join(between));

const ofPart = (alias: string, earner: string): string =>
  `${alias}.network_id = s.network_id and ${alias}.draw_id = s.draw_id and ${alias}.account_id = ${earner} and ${partOf(alias)} = s.part`;
const partOf = (alias: string): string => `coalesce(${alias}.paid_at, '-infinity')`;

/**
 * Uses rates at the draw's opening. Players go in account order; each gets the whole hundredths that the exact
 * cumulative earnings complete. Earners with a rate keep remainders before and after each part.
 */
async function auditCommissions(db: Queryable): Promise<Check> {
  const isWrong = ofLevels(' or ', (level, column) => `s.${column} is distinct from ${dueOf(level)}`);
  return checkWith(db)(
    'every commission is the stake × the rate at the opening of the draw, with the remainder before it',
    'player_settlements',
    sql`${RATES}, rated as (
       select s.network_id, s.draw_id, s.account_id, s.stake, ${sql.raw(partOf('s'))} as part,
              ${ofLevels(', ', (_level, column) => `s.${column}`)},
              ${ofLevels(
                ', ',
                (level, _column, depth) => `a.chain[${depth}] as ${level}_id,
                s.stake::numeric * ${level}.rate as ${level}_exact, ${level}.rate as ${level}_rate`,
              )}
       from player_settlements s join draws d on d.network_id = s.network_id and d.id = s.draw_id join accounts a on a.id = s.account_id
       ${ofLevels(
         '\n       ',
         (level, _column, depth) => `left join rates ${level} on ${level}.account_id = a.chain[${depth}]
         and ${level}.since <= d.rate_changes and (${level}.until <= d.rate_changes) is not true`,
       )}
     ), summed as materialized (
       select *, ${ofLevels(
         ', ',
         (level) => `sum(${level}_exact)
         over (partition by network_id, draw_id, part, ${level}_id order by account_id rows unbounded preceding) as ${level}_upto`,
       )}
       from rated
     ), parts as materialized (
       select s.network_id, s.draw_id, s.part, e.account_id, max(e.upto) as exact
       from summed s cross
         join lateral (values ${ofLevels(', ', (level) => `(${level}_id, ${level}_rate, ${level}_upto)`)}) as e (account_id, rate, upto)
       where e.rate > 0 group by s.network_id, s.draw_id, s.part, e.account_id
     ), wrong as (
       select format('the settlement of player %s in draw %s of network %s has %s hundredths of commission for %s %s; '
                     'at %s hundredths of a percent the stake of %s gives %s',
                     s.account_id, s.draw_id, s.network_id, earner.earned, earner.level, earner.account_id,
                     coalesce(earner.rate::text, 'unknown'), s.stake, coalesce(earner.due::text, 'unknown')) as problem
       from summed s
       ${ofLevels('\n       ', (level) => `left join settled_remainders ${level} on ${ofPart(level, `s.${level}_id`)}`)}
       cross join lateral (values
         ${ofLevels(', ', (level, column) => `('${level}', s.${level}_id, s.${level}_rate, s.${column}, ${dueOf(level)})`)}) as
         earner (level, account_id, rate, earned, due)
       where (${isWrong}) and earner.earned is distinct from earner.due
       union all
       select case
         when s.exact is null
           then format('account %s carried a remainder in draw %s of network %s, in which it earned nothing',
             account_id, draw_id, network_id)
         when r.after is null
           then format('account %s earned in draw %s of network %s and carried no remainder', account_id, draw_id, network_id)
         else format('account %s carried the remainder %s out of draw %s of network %s; with %s before it, the stakes leave %s',
           account_id, r.after, draw_id, network_id,
                     r.before, mod(r.before + s.exact, 10000))
       end
       from parts s full join (select *, ${sql.raw(partOf('r'))} as part from settled_remainders r) as r
         using (network_id, draw_id, part, account_id)
       where s.exact is null or r.after is null or r.after <> mod(r.before + s.exact, 10000)
     )`,
  );
}

/** Completed by this player's stake. */
function dueOf(level: string): string {
  return (
    `div(coalesce(${level}.before, 0) + s.${level}_upto, 10000) - div(coalesce(${level}.before, 0) + s.${level}_upto ` +
    `- s.${level}_exact, 10000)`
  );
}

/**
 * Each settlement's remainder must continue the last, from 0 to the wallet's current one. Numbers have no gaps except
 * cleared rows, whose count and total change are kept.
 */
async function auditRemainders(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every remainder of a commission goes on from the one before',
    'settled_remainders',
    sql`linked as (
       select *, lag(nth) over its as last_nth, lag(after) over its as last from settled_remainders
       window its as (partition by network_id, account_id order by nth)
     ), kept as (
       select network_id, account_id, count(*) as settlements, sum(after - before) as change, min(nth) as least, max(nth) as most
       from settled_remainders group by network_id, account_id
     ), wallets_of as (
       select network_id, owner_id as account_id, carried, remainder from wallets
         where kind = ${WALLETS.commission} or carried <> 0 or remainder <> 0
     ), wrong as (
       select format('account %s of network %s began settlement %s with the remainder %s; the one before left %s',
         account_id, network_id, nth, before,
                     coalesce(last, 0)) as problem
       from linked where nth = 1 and before <> 0 or nth = last_nth + 1 and before <> last or nth = last_nth
       union all
       select format('account %s of network %s has the remainder %s after %s settlements; what is kept of them comes '
                     'to %s after %s', account_id, network_id,
                     coalesce(w.remainder, 0), coalesce(w.carried, 0), coalesce(k.change, 0) + coalesce(c.change, 0),
                       coalesce(k.settlements, 0) + coalesce(c.settlements, 0))
       from wallets_of w full join kept k using (network_id, account_id) full join cleared_remainders c using (network_id, account_id)
       where coalesce(w.remainder, 0) <> coalesce(k.change, 0) + coalesce(c.change, 0)
          or coalesce(w.carried, 0) <> coalesce(k.settlements, 0) + coalesce(c.settlements, 0)
          or k.least < 1 or k.most > w.carried
     )`,
  );
}

const DAY_OF = (at: string): Sql =>
  sql`day_start(${sql.raw(at)}, (select value from pinned_settings where name = 'time-zone'))`;
/** Sums run modulo this prime, so products fit a bigint. */
const PRIME = 2_147_483_647;
/** Distinct, so amounts cannot move between columns unnoticed. */
const WEIGHTS = [1_301_081_123, 982_451_653, 1_618_033_987, 756_839_101, 2_038_074_743, 1_122_334_467];

/** Linear modulo {@link PRIME}, so fingerprints add up like the amounts. */
function worthOf(alias: string): Sql {
  const terms = SETTLEMENT_SUMS.map((column, nth) => `${alias}.${column} % ${PRIME} * ${WEIGHTS[nth]} % ${PRIME}`);
  return sql`((${sql.raw(terms.join(' + '))}) % ${sql.lit(PRIME)})`;
}

const aboutOf = (game: string, at: string): string =>
  `uuid_hash_extended(${game}, hashfloat8extended(date_part('epoch', ${at}), 0))`;
/** At most {@link PRIME}. */
const keyOf = (account: string, about: string): string => `(uuid_hash_extended(${account}, ${about}) & ${PRIME})`;

interface WrongDay {
  readonly network_id: number;
  readonly day: Date;
}

/**
 * Compares adjacent steps: players with settlements, others with their children, days with quarter hours. If each step
 * matches, all days are right. Weighted sums need one pass without grouping and miss a wrong day with chance 1 in
 * {@link PRIME}. Stored fingerprints replace cleared settlements.
 */
async function findWrongDays(db: Queryable): Promise<WrongDay[]> {
  const isPlayer = `r.depth is not distinct from ${LEVELS.at(-1)![2]}`;
  return db.query<WrongDay>(
    sql`with settled as materialized (
       select d.network_id, d.draw_id, ${DAY_OF('d.settled_at')} as day,
              ${sql.raw(aboutOf('draws.game_id', "date_bin('15 minutes', d.settled_at, timestamptz 'epoch')"))} as about
       from draw_settlements d join draws on draws.network_id = d.network_id and draws.id = d.draw_id
     ), worth as not materialized (
       select r.network_id, r.account_id, r.grain = 'quarter' as is_quarter, r.day, cardinality(a.chain) as depth,
         a.chain[cardinality(a.chain) - 1] as parent_id,
              ${worthOf('r')} as worth, ${sql.raw(aboutOf('r.game_id', 'r.starts_at'))} as about,
              ${sql.raw(aboutOf('r.game_id', 'r.day'))} as about_day
       from (select *, ${DAY_OF('starts_at')} as day from rollups) as r left join accounts a on a.id = r.account_id
     ), steps as (
       select s.network_id, d.day, sum(${sql.raw(keyOf('s.account_id', 'd.about'))} * ${worthOf('s')}) as players, 0 as parents, 0 as days
       from player_settlements s join settled d on d.network_id = s.network_id and d.draw_id = s.draw_id group by s.network_id, d.day
       union all
       select c.network_id, ${DAY_OF('c.at')},
         sum(${sql.raw(keyOf('c.account_id', aboutOf('draws.game_id', "date_bin('15 minutes', c.at, timestamptz 'epoch')")))}
           * (c.moved % ${sql.lit(PRIME)} * ${sql.lit(WEIGHTS[1]!)} % ${sql.lit(PRIME)})), 0, 0
       from ticket_corrections c join draws on draws.network_id = c.network_id and draws.id = c.draw_id group by 1, 2
       union all
       select network_id, day_start(day, (select value from pinned_settings where name = 'time-zone')), settled_worth,
         0, 0 from cleared_days
       union all
       select r.network_id, r.day,
              coalesce(-sum(${sql.raw(keyOf('r.account_id', 'r.about'))} * r.worth) filter (where r.is_quarter
                and ${sql.raw(isPlayer)}), 0),
              coalesce(sum(${sql.raw(keyOf('r.parent_id', 'r.about'))} * r.worth) filter (where r.is_quarter
                and r.parent_id is not null), 0)
                - coalesce(sum(${sql.raw(keyOf('r.account_id', 'r.about'))} * r.worth) filter (where r.is_quarter
                  and not ${sql.raw(isPlayer)}), 0),
              coalesce(sum(${sql.raw(keyOf('r.account_id', 'r.about_day'))} * r.worth) filter (where r.is_quarter), 0)
                - coalesce(sum(${sql.raw(keyOf('r.account_id', 'r.about'))} * r.worth) filter (where not r.is_quarter), 0)
       from worth r group by r.network_id, r.day
     )
     select network_id, day from steps group by network_id, day
     having sum(players) % ${sql.lit(PRIME)} <> 0 or sum(parents) % ${sql.lit(PRIME)} <> 0 or sum(days) % ${sql.lit(PRIME)} <> 0
     union
     -- Empty rollups are written by corrections alone.
     select network_id, ${DAY_OF('starts_at')} from rollups where stake <= 0
       and (network_id, ${DAY_OF('starts_at')}) not in (select network_id, ${DAY_OF('at')} from ticket_corrections)`,
  );
}

const isCleared = (network: string, day: string): Sql => sql`exists (
  select from cleared_days cd where cd.network_id = ${sql.raw(network)} and cd.settled_worth <> 0
    and cd.day = (${sql.raw(day)} at time zone (select value from pinned_settings where name = 'time-zone'))::date)`;

async function auditRollups(db: Queryable): Promise<Check> {
  const wrong = await findWrongDays(db);
  const days = wrong.map(({ day }) => day);
  return checkWith(db)(
    'every rollup equals the settlements below its account in its period',
    'rollups',
    sql`played as (
       select s.network_id, s.account_id, draws.game_id, date_bin('15 minutes', d.settled_at, timestamptz 'epoch') as quarter,
              ${DAY_OF('d.settled_at')} as day, ${sql.raw(sumsOf('s'))}
       from player_settlements s join draw_settlements d on d.network_id = s.network_id and d.draw_id = s.draw_id
       join draws on draws.network_id = s.network_id and draws.id = s.draw_id
       where ${DAY_OF('d.settled_at')} = any(${days}::timestamptz[])
       group by s.network_id, s.account_id, draws.game_id, quarter, day
       union all
       select c.network_id, c.account_id, draws.game_id, date_bin('15 minutes', c.at, timestamptz 'epoch'), ${DAY_OF('c.at')},
         ${sql.raw(SETTLEMENT_SUMS.map((name) => (name === 'win' ? 'sum(c.moved)::bigint' : '0::bigint')).join(', '))}
       from ticket_corrections c join draws on draws.network_id = c.network_id and draws.id = c.draw_id
       where ${DAY_OF('c.at')} = any(${days}::timestamptz[]) group by 1, 2, 3, 4, 5
     ), settled as (
       select p.network_id, up.id as account_id, p.game_id, case grouping(quarter) when 0 then 'quarter' else 'day' end as grain,
              case grouping(quarter) when 0 then quarter else day end as starts_at, ${sql.raw(sumsOf('p'))}
       from played p join accounts a on a.id = p.account_id cross join lateral unnest(a.chain) as up (id)
       group by p.network_id, up.id, p.game_id, grouping sets ((quarter), (day))
     ), wrong as (
       select format('the %s rollups of account %s in network %s do not equal the settlements: from %s in game %s '
                     'they have %s, the settlements %s',
                     grain, account_id, network_id, starts_at, game_id,
                     coalesce(${sql.raw(shown('r'))}, 'nothing'), coalesce(${sql.raw(shown('s'))}, 'nothing')) as problem
       from (select * from rollups where ${DAY_OF('starts_at')} = any(${days}::timestamptz[])) as r
       full join settled s using (network_id, account_id, game_id, grain, starts_at)
       where (${sql.raw(columnsOf('r'))}) is distinct from (${sql.raw(columnsOf('s'))}) and not ${isCleared('network_id', 'starts_at')}
       union all
       select format('the rollups of network %s on the day from %s do not equal the settlements, those that were '
                     'cleared included', network_id, day)
       from unnest(${wrong.map(({ network_id }) => network_id)}::int[], ${days}::timestamptz[]) as each (network_id,
         day) where ${isCleared('network_id', 'day')}
     )`,
  );
}

function shown(alias: 'r' | 's'): string {
  const [stake, win, ...commissions] = SETTLEMENT_SUMS.map((column) => `${alias}.${column}`);
  return `'play ' || ${stake} || ', win ' || ${win} || ', commissions ' || ${commissions.join(` || ' ' || `)}`;
}
