import { UNFINISHED } from '../../config/draw-states.ts';
import { arrayOf } from '../../platform/db/sql/sql.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { enterBooks, hasOpenBooks, reopenedAt } from '../../activity/network-work/closed-books.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import type { DrawRow } from '../draws.sql.ts';
import { selectDraws } from '../draws.sql.ts';
import { tablesAreBelow } from '../../accounts/accounts.sql.ts';
import { ADMIN_RUNS, INTERVAL } from '../../games/games.sql.ts';
import type { PairRow } from '../../games/games.sql.ts';
import { isOfWrongClock } from '../../platform/settings/pinned-settings.ts';
import type { Neighbours } from '@drawhouse/rules/time/schedule';

/** SQL matching the index of due draws. */
const IS_UNFINISHED = `d.status in ${UNFINISHED}`;
/** SQL filter that excludes staged copies. */
const OF_NETWORKS = 'd.network_id in (select id from networks)';
const IN_OPEN_BOOKS = `${OF_NETWORKS} and ${hasOpenBooks('d.network_id')}`;
/** SQL for the next step's time, matching the index of due draws. */
const DUE_AT = `(case d.status when 'open' then d.closes_at when 'settling' then d.opens_at else d.draws_at end)`;

/** SQL: closed, without a saved result, waiting for a beacon at `$1`. */
const IS_HELD = `(d.status = 'closed' and d.saved_result is null and d.awaits_until is not null and d.awaits_until > $1)`;

/** SQL: closed or drawn although its scheduled close is still ahead. */
const IS_EARLY = (now: string): string => `(d.status in ('closed', 'drawn') and d.closes_at > ${now})`;

export interface DueDraw extends Pick<DrawRow, 'network_id' | 'id' | 'draw_status' | 'ticket_count'> {
  readonly saved: boolean;
  readonly due_at: Date;
  /** True if due before its close, which the schedule never causes. */
  readonly early: boolean;
}

/** Longest overdue first. Takes no locks. */
export async function dueDraws(on: Queryable, now: Date): Promise<DueDraw[]> {
  return on.query<DueDraw>(
    `select d.network_id, d.id, d.status as draw_status, d.ticket_count, d.saved_result is not null as saved, ${DUE_AT} as due_at,
            ${IS_EARLY('$1')} as early
     from draws d where ${IS_UNFINISHED} and ${DUE_AT} <= $1 and ${IN_OPEN_BOOKS} and not ${IS_HELD} ${crossNetworkComment('schedule')} order by ${DUE_AT}, d.network_id, d.id`,
    [now],
    'draws-due',
  );
}

export async function nextDueAt(on: Queryable, now: Date): Promise<Date | undefined> {
  const [row] = await on.query<{ at: Date | null }>(
    `select min(${DUE_AT}) as at from draws d where ${IS_UNFINISHED} and ${DUE_AT} > $1 and ${OF_NETWORKS} ${crossNetworkComment('schedule')}`,
    [now],
    'draws-next-due',
  );
  return row?.at ?? undefined;
}

/** Due times of the longest waits: closing or drawing, and payment. */
export interface LongestWaits {
  readonly draw: Date | null;
  readonly payment: Date | null;
}

/** Covers networks with open books. Steps that fell due while books were closed count from reopening. */
export async function oldestDue(on: Queryable, now: Date): Promise<LongestWaits> {
  const [row] = await on.query<LongestWaits>(
    `select min(greatest(case d.status when 'open' then d.closes_at when 'closed' then d.draws_at end, opened.at))
              filter (where d.status in ('open', 'closed')) as draw,
            min(greatest(d.draws_at, opened.at)) filter (where d.status in ('drawn', 'settling')) as payment
     from draws d left join lateral ${reopenedAt('d.network_id')} as opened (at) on true
     where ${IS_UNFINISHED} and ${DUE_AT} <= $1 and ${IN_OPEN_BOOKS} ${crossNetworkComment('schedule')}`,
    [now],
    'draws-longest-waits',
  );
  return row!;
}

/**
 * Locks a draw for its next step. Undefined if nothing is due or the books are closed. Refuses a non-open draw before
 * its close: a database writer could otherwise get its seed unsealed.
 */
export async function lockDue(tx: Tx, { network_id, id }: DueDraw, now: Date): Promise<DrawRow | undefined> {
  if (!(await enterBooks(tx, network_id))) return undefined;
  const [draw] = await selectDraws(
    tx,
    `where d.network_id = $1 and d.id = $2 and ${IS_UNFINISHED} and ${DUE_AT} <= $3 and ${OF_NETWORKS} and not ${IS_EARLY('$3')} for update of d`,
    [network_id, id, now],
    'draw-due-lock',
  );
  return draw;
}

/** A ticketless draw, locked in bulk. Terms are not loaded. */
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

/** Locks draws still in `status`, skipping those locked elsewhere. Empty while the books are closed. */
export async function lockTicketless(
  tx: Tx,
  networkId: number,
  draws: readonly Pick<DueDraw, 'id'>[],
  status: 'open' | 'closed',
): Promise<LockedDraw[]> {
  const [isOpen, locked] = await Promise.all([enterBooks(tx, networkId), readAndLock(tx, networkId, draws, status)]);
  return isOpen ? locked : [];
}

async function readAndLock(
  tx: Tx,
  networkId: number,
  draws: readonly Pick<DueDraw, 'id'>[],
  status: 'open' | 'closed',
): Promise<LockedDraw[]> {
  return tx.query<LockedDraw>(
    `select d.network_id, d.id, d.terms_id, d.closes_at, d.root_sealed_at, d.sealed_seed, d.commitment, d.beacon_signatures, g.game_key, g.family, g.digits
     from unnest($2::uuid[]) as due (id) join draws d on d.network_id = $1 and d.id = due.id join games g on g.id = d.game_id
     where d.status = $3 and d.saved_result is null and $1 in (select id from networks) for update of d skip locked`,
    [networkId, arrayOf(idsOf(draws)), status],
    'draws-lock-among',
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
    `update draws d set status = 'closed', ticket_count = 0, closed_at = $3
     from unnest($2::uuid[]) as due (id) where d.network_id = $1 and d.id = due.id`,
    [networkId, arrayOf(idsOf(draws)), at],
    'draws-close-empty',
  );
}

export interface SettledDraw extends Pick<DrawRow, 'id'> {
  readonly seed: Buffer;
  readonly result: NonNullable<DrawRow['result']>;
  readonly label: string;
  readonly booster: number;
}

/** Settles locked, closed, ticketless draws with generated results. Publishes their seeds. */
export async function settleEmpty(tx: Tx, networkId: number, draws: readonly SettledDraw[], now: Date): Promise<void> {
  if (draws.length === 0) return;
  await tx.send(
    `update draws d set status = 'settled', source = 'generated', result = due.result, result_label = due.label, booster = due.booster,
            seed = decode(due.seed, 'hex'), sealed_seed = null, finished_at = greatest($7, d.closed_at)
     from rows from (unnest($2::uuid[]), unnest($3::text[]), json_array_elements($4), json_array_elements_text($5), unnest($6::smallint[]))
       as due (id, seed, result, label, booster)
     where d.network_id = $1 and d.id = due.id`,
    [
      networkId,
      arrayOf(idsOf(draws)),
      arrayOf(draws.map((draw) => draw.seed.toString('hex'))),
      JSON.stringify(draws.map((draw) => draw.result)),
      JSON.stringify(draws.map((draw) => draw.label)),
      arrayOf(draws.map((draw) => draw.booster)),
      now,
    ],
    'draws-settle-empty',
  );
}

const idsOf = (draws: readonly Pick<DrawRow, 'id'>[]): string[] => draws.map((draw) => draw.id);

export interface IdlePair
  extends Pick<PairRow, 'network_id' | 'game_id' | 'game_key' | 'admin_username' | 'interval_seconds'>, Neighbours {}

/** SQL for the first draw of `pair` opening after an instant. */
const nextStart = (network: string, now: string): string =>
  `(select min(next.opens_at) from draws next
    where next.network_id = ${network} and next.game_id = pair.game_id and next.opens_at > ${now})`;

/** SQL for the draw of `pair` most recently opened by an instant, and its opening time if a replacement is due. */
const last = (network: string, now: string): string =>
  `(select d.draws_at, case when ${isOfWrongClock(now)} then d.opens_at end as replaced from draws d
    where d.network_id = ${network} and d.game_id = pair.game_id and d.opens_at <= ${now} order by d.opens_at desc limit 1)`;

/** Opening data itself is read later, under the pair lock. */
export async function pairsWithoutDraw(on: Queryable, now: Date): Promise<IdlePair[]> {
  return on.query<IdlePair>(
    `${crossNetworkComment('schedule')} with admin as materialized (
       select n.id as network_id, a.username as admin_username from networks n join accounts a on a.id = n.admin_id where ${ADMIN_RUNS}
     ), game as materialized (
       select g.id as game_id, g.game_key, ${INTERVAL} as interval_seconds from games g where g.status = 'active'
     )
     select pair.network_id, pair.game_id, game.game_key, admin.admin_username, game.interval_seconds,
            last.draws_at as "lastEnd", last.replaced, ${nextStart('pair.network_id', '$1')} as "nextStart"
     from network_games pair join game on game.game_id = pair.game_id join admin on admin.network_id = pair.network_id
     left join lateral ${last('pair.network_id', '$1')} as last on true
     where (last.draws_at is null or last.draws_at <= $1 or last.replaced is not null) and ${hasOpenBooks('pair.network_id')} order by pair.network_id, pair.game_id`,
    [now],
    'draws-missing',
  );
}

interface IdleGame extends Pick<PairRow, 'game_id' | 'win_percentage' | 'beacons'>, Neighbours {}

/** Filters games without a running draw. Requires an active admin and tables above the line; ignores game status. */
export async function gamesWithoutDraw(
  tx: Tx,
  networkId: number,
  pairs: readonly Pick<PairRow, 'game_id'>[],
  now: Date,
): Promise<IdleGame[]> {
  return tx.query<IdleGame>(
    `select pair.game_id, pair.win_percentage, pair.beacons, last.draws_at as "lastEnd", last.replaced, ${nextStart('$1', '$3')} as "nextStart"
     from network_games pair left join lateral ${last('$1', '$3')} as last on true
     where pair.network_id = $1 and pair.game_id = any($2::uuid[])
       and (last.draws_at is null or last.draws_at <= $3 or last.replaced is not null)
       and exists (select from networks n join accounts a on a.id = n.admin_id where n.id = $1 and ${ADMIN_RUNS})
       and not ${tablesAreBelow('$1')}`,
    [networkId, arrayOf(pairs.map((pair) => pair.game_id)), now],
    'draws-missing-among',
  );
}
