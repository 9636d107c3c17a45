import { UNFINISHED } from '../../config/draw-states.ts';
import { sql, arrayOf, type Sql } from '../../platform/db/sql/sql.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { shareBooksLock, hasOpenBooks, reopenedAt } from '../../activity/network-work/closed-books.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { selectDraws, type DrawRow } from '../draws.sql.ts';
import { tablesAreBelow } from '../../accounts/accounts.sql.ts';
import { ADMIN_RUNS, GAME_TIMES, INTERVAL, type PairRow } from '../../games/games.sql.ts';
import { isOfWrongClock } from '../../platform/settings/pinned-settings.ts';
import type { Neighbours } from '@drawhouse/rules/time/schedule';

const IS_UNFINISHED = sql`d.status in ${sql.raw(UNFINISHED)}`;
const OF_NETWORKS = sql`d.network_id in (select id from networks)`;
const IN_OPEN_BOOKS = sql`${OF_NETWORKS} and ${hasOpenBooks('d.network_id')}`;
const OVER_NETWORKS = sql.raw(crossNetworkComment('schedule'));
/** Matches the index of due draws. */
const DUE_AT = sql`(case d.status when 'open' then d.closes_at when 'settling' then d.opens_at else d.draws_at end)`;

const awaitsValue = (now: Date): Sql =>
  sql`(d.status = 'closed' and (d.saved_result is null or d.outside is not null)
    and d.awaits_until is not null and d.awaits_until > ${now})`;
/** The outside result may still come. */
const isInTime = (now: Date): Sql => sql`(d.status = 'closed' and d.outside is not null and d.awaits_until > ${now})`;

const isEarly = (now: Date): Sql => sql`(d.status in ('closed', 'drawn') and d.closes_at > ${now})`;

export interface DueDraw extends Pick<DrawRow, 'network_id' | 'id' | 'draw_status' | 'ticket_count'> {
  readonly saved: boolean;
  readonly due_at: Date;
  /** Due before its close, which the schedule never causes. */
  readonly early: boolean;
}

/** Longest overdue first. Takes no locks. */
export async function dueDraws(on: Queryable, now: Date): Promise<DueDraw[]> {
  return on.query<DueDraw>(
    sql`select d.network_id, d.id, d.status as draw_status, d.ticket_count, d.saved_result is not null as saved, ${DUE_AT} as due_at,
            ${isEarly(now)} as early
     from draws d where ${IS_UNFINISHED} and ${DUE_AT} <= ${now} and ${IN_OPEN_BOOKS}
       and not ${awaitsValue(now)} ${OVER_NETWORKS} order by ${DUE_AT}, d.network_id, d.id`.named('draws-due'),
  );
}

export async function nextDueAt(on: Queryable, now: Date): Promise<Date | undefined> {
  const [row] = await on.query<{ at: Date | null }>(
    sql`select min(${DUE_AT}) as at from draws d where ${IS_UNFINISHED} and ${DUE_AT} > ${now} and ${OF_NETWORKS} ${OVER_NETWORKS}`.named(
      'draws-next-due',
    ),
  );
  return row?.at ?? undefined;
}

export interface LongestWaits {
  readonly draw: Date | null;
  readonly payment: Date | null;
}

export interface NetworkWaits extends LongestWaits {
  readonly network_id: number;
  readonly admin_username: string;
}

export async function oldestDue(on: Queryable, now: Date): Promise<LongestWaits> {
  const waitRows = await waitsByNetwork(on, 'all', now);
  const oldest = (step: keyof LongestWaits): Date | null =>
    waitRows.reduce<Date | null>((first, { [step]: at }) => (at && (!first || at < first) ? at : first), null);
  return { draw: oldest('draw'), payment: oldest('payment') };
}

/**
 * Networks with due draws and open books, by admin name. Steps that fell due while books were closed count from
 * reopening.
 */
export async function waitsByNetwork(on: Queryable, wanted: number | 'all', now: Date): Promise<NetworkWaits[]> {
  const ofWanted = wanted === 'all' ? OVER_NETWORKS : sql`and d.network_id = ${wanted}`;
  return on.query<NetworkWaits>(
    sql`select d.network_id, a.username as admin_username,
            min(greatest(case d.status when 'open' then d.closes_at when 'closed' then d.draws_at end, opened.at))
              filter (where d.status in ('open', 'closed')) as draw,
            min(greatest(d.draws_at, opened.at)) filter (where d.status in ('drawn', 'settling')) as payment
     from draws d join networks n on n.id = d.network_id join accounts a on a.id = n.admin_id
       left join lateral ${reopenedAt(sql`d.network_id`)} as opened (at) on true
     where ${IS_UNFINISHED} and ${DUE_AT} <= ${now} and not ${isInTime(now)}
       and ${IN_OPEN_BOOKS} ${ofWanted} group by 1, 2 order by 2`.named(
      wanted === 'all' ? 'draws-longest-waits' : 'draws-longest-waits-of',
    ),
  );
}

/**
 * Undefined if nothing is due or the books are closed. Refuses a non-open draw before its close: a database writer
 * could otherwise get its seed unsealed.
 */
export async function lockDue(tx: Tx, { network_id, id }: DueDraw, now: Date): Promise<DrawRow | undefined> {
  if (!(await shareBooksLock(tx, network_id))) return undefined;
  const [draw] = await selectDraws(
    tx,
    sql`where d.network_id = ${network_id} and d.id = ${id} and ${IS_UNFINISHED} and ${DUE_AT} <= ${now} and ${OF_NETWORKS}
      and not ${isEarly(now)} for update of d`,
    'draw-due-lock',
  );
  return draw;
}

/** A draw without tickets. Terms are not loaded. */
export type LockedDraw = Pick<
  DrawRow,
  | 'network_id'
  | 'id'
  | 'game_key'
  | 'family'
  | 'digits'
  | 'closes_at'
  | 'root_sealed_at'
  | 'sealed_seed'
  | 'commitment'
  | 'beacon_signatures'
> & { readonly terms_id: string };

/** Skips draws locked elsewhere. Empty while the books are closed. */
export async function lockTicketless(
  tx: Tx,
  networkId: number,
  draws: readonly Pick<DueDraw, 'id'>[],
  status: 'open' | 'closed',
): Promise<LockedDraw[]> {
  const [isOpen, locked] = await Promise.all([
    shareBooksLock(tx, networkId),
    readAndLock(tx, networkId, draws, status),
  ]);
  return isOpen ? locked : [];
}

async function readAndLock(
  tx: Tx,
  networkId: number,
  draws: readonly Pick<DueDraw, 'id'>[],
  status: 'open' | 'closed',
): Promise<LockedDraw[]> {
  return tx.query<LockedDraw>(
    sql`select d.network_id, d.id, d.terms_id, d.closes_at, d.root_sealed_at, d.sealed_seed, d.commitment, d.beacon_signatures,
      g.game_key, g.family, g.digits
     from unnest(${arrayOf(idsOf(draws))}::uuid[]) as due (id)
       join draws d on d.network_id = ${networkId} and d.id = due.id join games g on g.id = d.game_id
     where d.status = ${status} and d.saved_result is null and ${networkId} in (select id from networks) for update of d skip locked`.named(
      'draws-lock-among',
    ),
  );
}

export async function closeEmpty(
  tx: Tx,
  networkId: number,
  draws: readonly Pick<DrawRow, 'id'>[],
  at: Date,
): Promise<void> {
  if (draws.length === 0) return;
  await tx.send(
    sql`update draws d set status = 'closed', ticket_count = 0, closed_at = ${at}
     from unnest(${arrayOf(idsOf(draws))}::uuid[]) as due (id) where d.network_id = ${networkId} and d.id = due.id`.named(
      'draws-close-empty',
    ),
  );
}

export interface SettledDraw extends Pick<DrawRow, 'id'> {
  readonly seed: Buffer;
  readonly result: NonNullable<DrawRow['result']>;
  readonly label: string;
  readonly booster: number;
}

/** Publishes the seeds. */
export async function settleEmpty(tx: Tx, networkId: number, draws: readonly SettledDraw[], now: Date): Promise<void> {
  if (draws.length === 0) return;
  await tx.send(
    sql`update draws d set status = 'settled', source = 'generated', result = due.result, result_label = due.label, booster = due.booster,
            seed = decode(due.seed, 'hex'), sealed_seed = null, finished_at = greatest(${now}, d.closed_at)
     from rows from (unnest(${arrayOf(idsOf(draws))}::uuid[]),
       unnest(${arrayOf(draws.map((draw) => draw.seed.toString('hex')))}::text[]),
         json_array_elements(${JSON.stringify(draws.map((draw) => draw.result))}),
           json_array_elements_text(${JSON.stringify(draws.map((draw) => draw.label))}),
             unnest(${arrayOf(draws.map((draw) => draw.booster))}::smallint[]))
       as due (id, seed, result, label, booster)
     where d.network_id = ${networkId} and d.id = due.id`.named('draws-settle-empty'),
  );
}

const idsOf = (draws: readonly Pick<DrawRow, 'id'>[]): string[] => draws.map((draw) => draw.id);

export interface IdlePair
  extends
    Pick<
      PairRow,
      | 'network_id'
      | 'game_id'
      | 'game_key'
      | 'admin_username'
      | 'interval_seconds'
      | 'schedule'
      | 'time_zone'
      | 'closures'
    >,
    Neighbours {}

const nextStart = (network: Sql, now: Date): Sql =>
  sql`(select min(next.opens_at) from draws next
    where next.network_id = ${network} and next.game_id = pair.game_id and next.opens_at > ${now})`;

/** Its opening time is set if a replacement is due. */
const last = (network: Sql, now: Date): Sql =>
  sql`(select d.draws_at, case when ${isOfWrongClock(now)} then d.opens_at end as replaced from draws d
    where d.network_id = ${network} and d.game_id = pair.game_id and d.opens_at <= ${now} order by d.opens_at desc limit 1)`;

export async function pairsWithoutDraw(on: Queryable, now: Date): Promise<IdlePair[]> {
  return on.query<IdlePair>(
    sql`${OVER_NETWORKS} with admin as materialized (
       select n.id as network_id, a.username as admin_username from networks n join accounts a on a.id = n.admin_id where ${ADMIN_RUNS}
     ), game as materialized (
       select g.id as game_id, g.game_key, ${sql.raw(INTERVAL)} as interval_seconds, ${sql.raw(GAME_TIMES)}
       from games g where g.status = 'active'
     )
     select pair.network_id, pair.game_id, game.game_key, admin.admin_username, game.interval_seconds, game.schedule,
            game.time_zone, pair.closures,
            last.draws_at as "lastEnd", last.replaced, ${nextStart(sql`pair.network_id`, now)} as "nextStart"
     from network_games pair join game on game.game_id = pair.game_id join admin on admin.network_id = pair.network_id
     left join lateral ${last(sql`pair.network_id`, now)} as last on true
     where (last.draws_at is null or last.draws_at <= ${now} or last.replaced is not null) and ${hasOpenBooks('pair.network_id')}
       order by pair.network_id, pair.game_id`.named('draws-missing'),
  );
}

interface IdleGame extends Pick<PairRow, 'game_id' | 'win_percentage' | 'beacons' | 'closures'>, Neighbours {}

/** Requires an active admin and tables above the line. Ignores game status. */
export async function gamesWithoutDraw(
  tx: Tx,
  networkId: number,
  pairs: readonly Pick<PairRow, 'game_id'>[],
  now: Date,
): Promise<IdleGame[]> {
  const network = sql`${networkId}::int`;
  return tx.query<IdleGame>(
    sql`select pair.game_id, pair.win_percentage, pair.beacons, pair.closures, last.draws_at as "lastEnd", last.replaced,
            ${nextStart(network, now)} as "nextStart"
     from network_games pair left join lateral ${last(network, now)} as last on true
     where pair.network_id = ${networkId} and pair.game_id = any(${arrayOf(pairs.map((pair) => pair.game_id))}::uuid[])
       and (last.draws_at is null or last.draws_at <= ${now} or last.replaced is not null)
       and exists (select from networks n join accounts a on a.id = n.admin_id where n.id = ${networkId} and ${ADMIN_RUNS})
       and not ${tablesAreBelow(network)}`.named('draws-missing-among'),
  );
}
