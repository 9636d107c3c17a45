import { commissionCeiling } from '../accounts/accounts.sql.ts';
import { WITH_RESULT } from '../config/draw-states.ts';
import type { AwaitedDraw, DrawResult, DrawView, ShortDraw, VOID_CAUSE } from '@drawhouse/contract/draws/draws';
import type { Beacon } from '@drawhouse/rules/fair/beacon-rounds';
import type { Result } from '@drawhouse/rules/games/rules';
import { sql, arrayOf, type Sql } from '../platform/db/sql/sql.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { cadenceOf, gameColumns, type GameRow, type PairRow } from '../games/games.sql.ts';
import { TERMS } from './draw-terms.ts';
import type { DrawTerms } from '@drawhouse/rules/fair/draw-terms';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { nextToOpen } from '@drawhouse/rules/time/schedule';
import type { DrawTimes } from '@drawhouse/rules/time/clock-slots';

const RESULTS_SHOWN = 20;

export interface ResultRow {
  id: string;
  number: bigint;
  draws_at: Date;
  result: DrawResult['result'];
  result_label: string;
  booster: number;
  source: DrawResult['source'];
  outside: string | null;
  corrected_at: Date | null;
}

export interface DrawRow
  extends Omit<GameRow, 'pays' | 'result_mode'>, Pick<DrawTerms, 'rules_version' | 'pays' | 'weights' | 'result_mode'> {
  beacons: readonly Beacon[] | null;
  beacon_signatures: (Buffer | null)[] | null;
  /** Time the close appeared in the seals. */
  root_sealed_at: Date | null;
  /** Deadline of missing beacon values (null once complete) or of an outside result. */
  awaits_until: Date | null;
  id: string;
  network_id: number;
  number: bigint;
  opens_at: Date;
  closes_at: Date;
  draws_at: Date;
  /** Number of rate changes in the network before the opening. */
  rate_changes: number;
  /** At opening, in hundredths of a percent. */
  commission_ceiling: number;
  draw_status: DrawView['status'];
  commitment: Buffer;
  /** Null once the seed is public. */
  sealed_seed: Buffer | null;
  seed: Buffer | null;
  /** Null while open. */
  ticket_root: Buffer | null;
  ticket_count: number | null;
  tickets_cleared: boolean;
  /** Null while open. */
  closed_at: Date | null;
  saved_result: Result | null;
  saved_booster: number | null;
  saved_by: string | null;
  saved_at: Date | null;
  saved_ip: string | null;
  /** Moved from the admin's credit to cover the saved result. Null if none or returned. */
  cover: bigint | null;
  confirmed_by: string | null;
  confirmed_ip: string | null;
  result: Result | null;
  result_label: string | null;
  booster: number | null;
  source: DrawResult['source'] | null;
  void_cause: (typeof VOID_CAUSE)[number] | null;
  outside: string | null;
}

export type DrawnRow = DrawRow & { result: Result; result_label: string; booster: number };

export interface NewDraw {
  readonly id: string;
  readonly game_id: string;
  readonly opens_at: Date;
  readonly closes_at: Date;
  readonly draws_at: Date;
  /** Null: drawn by interval. */
  readonly clock_number: number | null;
  /** Set if betting starts before the opening time. */
  readonly bets_from?: Date;
  readonly commitment: Buffer;
  readonly sealed_seed: Buffer;
  readonly terms_id: string;
  readonly terms: DrawTerms;
  readonly awaits_until: Date | null;
  readonly outside: string | null;
}

/** Date and clock time of a scheduled draw, else intervals since 1970. Null if undefined. */
export const DRAW_NUMBER =
  'coalesce(d.clock_number, floor(extract(epoch from d.opens_at) / nullif(round(extract(epoch from d.draws_at - d.opens_at)), 0))::bigint)';

/** Null while open. The root of zero tickets is not stored: it is SHA-256 of nothing (RFC 6962). */
export const TICKET_ROOT = sql`coalesce(d.ticket_root, case when d.ticket_count = 0 then sha256('') end)`;

export const correctedAt = (
  network: Sql,
): Sql => sql`case when d.outside is not null then (select max(c.at) from corrections c
  where c.network_id = ${network} and c.draw_id = d.id) end`;

export const DRAW = sql`${sql.raw(gameColumns('terms'))}, d.id, d.network_id, ${sql.raw(DRAW_NUMBER)} as number, d.opens_at,
  d.closes_at, d.draws_at, d.rate_changes, d.commission_ceiling,
  d.status as draw_status, d.commitment, d.sealed_seed, d.seed, terms.rules_version, terms.weights, terms.beacons,
    d.beacon_signatures, d.awaits_until, d.root_sealed_at, ${TICKET_ROOT} as ticket_root, d.ticket_count, d.tickets_cleared, d.closed_at,
  d.saved_result, d.saved_booster, d.saved_by, d.saved_at, d.saved_ip, d.cover, d.confirmed_by, d.confirmed_ip, d.result,
    d.result_label, d.booster, d.source, d.void_cause, d.outside`;

/** Never before the close, which another server's faster clock may have set. */
export function endTime(draw: Pick<DrawRow, 'closed_at'>, now: Date): Date {
  return draw.closed_at && draw.closed_at > now ? draw.closed_at : now;
}

/** False for void draws, generated outcomes and generated-only games. */
export function hasSavedResult<Draw extends Pick<DrawRow, 'saved_result' | 'draw_status' | 'source' | 'result_mode'>>(
  draw: Draw,
): draw is Draw & { saved_result: Result } {
  if (draw.saved_result === null || draw.draw_status === 'void') return false;
  return draw.source === null ? draw.result_mode !== 'generated' : draw.source === 'declared';
}

export const TWO_PERSONS: readonly DrawRow['result_mode'][] = ['two-person', 'outside'];

export function awaitsSecond(draw: Pick<DrawRow, 'saved_result' | 'confirmed_by' | 'result_mode'>): boolean {
  return draw.saved_result !== null && draw.confirmed_by === null && TWO_PERSONS.includes(draw.result_mode);
}

/** `end` follows a SELECT over draws `d`, games `g` and `terms`. */
export async function selectDraws(on: Queryable, end: Sql, name?: string): Promise<DrawRow[]> {
  const select = sql`select ${DRAW} from draws d join games g on g.id = d.game_id join draw_terms terms on terms.id = d.terms_id ${end}`;
  return on.query<DrawRow>(name === undefined ? select : select.named(name));
}

/** Pairs must be locked. Stores terms unless their id is in `stored`. Returns the opened draws. */
export async function insertDraws<Draw extends NewDraw>(
  on: Queryable,
  networkId: number,
  draws: readonly Draw[],
  stored: ReadonlySet<string> = new Set(),
): Promise<Draw[]> {
  if (draws.length === 0) return [];
  const terms = new Map(
    draws
      .filter(({ terms_id }) => !stored.has(terms_id))
      .map(({ terms_id, terms: { unit_price, ...rest } }) => [
        terms_id,
        { id: terms_id, unit_price: String(unit_price), ...rest },
      ]),
  );
  const opened = await on.query<{ id: string }>(
    sql`with kept as (
       insert into draw_terms (${sql.raw(TERMS)}) select ${sql.raw(TERMS)}
       from jsonb_to_recordset(${JSON.stringify([...terms.values()])}) as t (id uuid, rules_version int,
         unit_price bigint, pays jsonb, weights jsonb,
         result_mode text, manual_claims boolean, beacons jsonb)
       order by id on conflict do nothing
     )
     insert into draws (network_id, id, game_id, opens_at, closes_at, draws_at, clock_number, bets_from, outside, status,
       commitment, sealed_seed, terms_id, awaits_until, beacon_signatures, rate_changes, commission_ceiling)
     select ${networkId}, id, game_id, opens_at, closes_at, draws_at, clock_number, bets_from, outside, 'open',
       decode(commitment, 'hex'), decode(sealed_seed, 'hex'), terms_id,
            awaits_until, case when beacons > 0 then array_fill(null::bytea, array[beacons]) end,
            coalesce((select max(nth) from rate_changes where network_id = ${networkId}), 0), ${commissionCeiling(sql`${networkId}`)}
     from unnest(${arrayOf(draws.map((draw) => draw.id))}::uuid[],
       ${arrayOf(draws.map((draw) => draw.game_id))}::uuid[],
         ${arrayOf(draws.map((draw) => draw.opens_at.toISOString()))}::timestamptz[],
           ${arrayOf(draws.map((draw) => draw.closes_at.toISOString()))}::timestamptz[],
             ${arrayOf(draws.map((draw) => draw.draws_at.toISOString()))}::timestamptz[],
               ${arrayOf(draws.map((draw) => draw.commitment.toString('hex')))}::text[],
       ${arrayOf(draws.map((draw) => draw.sealed_seed.toString('hex')))}::text[],
         ${arrayOf(draws.map((draw) => draw.terms_id))}::uuid[],
           ${draws.map((draw) => draw.awaits_until)}::timestamptz[], ${draws.map((draw) => draw.terms.beacons?.length ?? 0)}::int[],
             ${draws.map((draw) => draw.clock_number)}::bigint[], ${draws.map((draw) => draw.bets_from ?? null)}::timestamptz[],
               ${draws.map((draw) => draw.outside)}::text[])
       as d (id, game_id, opens_at, closes_at, draws_at, commitment, sealed_seed, terms_id, awaits_until, beacons, clock_number,
         bets_from, outside)
     order by game_id on conflict do nothing returning id`.named('draws-open'),
  );
  const ids = new Set(opened.map(({ id }) => id));
  return draws.filter(({ id }) => ids.has(id));
}

export const lastOpened = (network: Sql, game: Sql, now: Date): Sql =>
  sql`(select last.id from draws last where last.network_id = ${network} and last.game_id = ${game} and last.opens_at <= ${now}
    order by last.opens_at desc limit 1)`;

const isAwaited = (network: Sql, game: Sql, now: Date): Sql =>
  sql`d.network_id = ${network} and d.game_id = ${game} and d.outside is not null and d.status = 'closed' and d.draws_at <= ${now}`;

/** Oldest first; see {@link toAwaited}. */
export const awaitedJson = (network: Sql, game: Sql, now: Date): Sql =>
  sql`(select coalesce(json_agg(json_build_object('drawId', d.id, 'number', ${sql.raw(DRAW_NUMBER)}, 'drawsAt', d.draws_at,
    'outside', d.outside) order by d.draws_at), '[]') from draws d where ${isAwaited(network, game, now)})`;

/** Times in JSON carry their offset. */
export function toAwaited(rows: readonly AwaitedDraw[]): AwaitedDraw[] {
  return rows.map((row) => ({ ...row, drawsAt: new Date(row.drawsAt).toISOString() }));
}

export function awaitedDraws(
  on: Queryable,
  { network_id: network, game_id: game }: PairRow,
  now: Date,
): Promise<DrawRow[]> {
  return selectDraws(
    on,
    sql`where ${isAwaited(sql`${network}::int`, sql`${game}::uuid`, now)} order by d.draws_at`,
    'draws-awaited',
  );
}

export function toAwaitedDraw({ id, number, draws_at, outside }: DrawRow): AwaitedDraw {
  return { drawId: id, number: Number(number), drawsAt: draws_at.toISOString(), outside: outside! };
}

/** Includes the next draw to open. None opens while the game is not open or has no draws to come. */
export async function currentDraw(
  on: Queryable,
  pair: PairRow,
  now: Date,
): Promise<{ draw: DrawRow | undefined; next: DrawTimes | undefined }> {
  const [last] = await selectDraws(
    on,
    sql`where d.network_id = ${pair.network_id} and d.id = ${lastOpened(sql`${pair.network_id}`, sql`${pair.game_id}`, now)}`,
    'draw-running',
  );
  return {
    draw: last && last.draws_at > now ? last : undefined,
    next: pair.running ? nextToOpen(now, cadenceOf(pair), last?.draws_at ?? null) : undefined,
  };
}

export async function runningDraw(on: Queryable, pair: PairRow, now: Date): Promise<DrawRow | undefined> {
  return (await currentDraw(on, pair, now)).draw;
}

export async function runningTimes(
  on: Queryable,
  gameId: string,
  networkIds: readonly number[],
  now: Date,
): Promise<Pick<DrawRow, 'opens_at' | 'draws_at'>[]> {
  return on.query(
    sql`select d.opens_at, d.draws_at from unnest(${networkIds}::int[]) as n (network_id)
     join draws d on d.network_id = n.network_id and d.id = ${lastOpened(sql`n.network_id`, sql`${gameId}::uuid`, now)}
     where d.draws_at > ${now} order by d.draws_at ${sql.raw(crossNetworkComment('superadmin'))}`.named('draws-times'),
  );
}

/** One key lookup per network. */
export async function findDraw(on: Queryable, id: string): Promise<DrawRow | undefined> {
  const [draw] = await selectDraws(
    on,
    sql`where (d.network_id, d.id) = (
       select n.id, found.id from networks n
       cross join lateral (select one.id from draws one where one.network_id = n.id and one.id = ${id} offset 0) as found limit 1)
       ${sql.raw(crossNetworkComment('named'))}`,
  );
  return draw;
}

export async function lockDraw(tx: Tx, { network_id, id }: DrawRow): Promise<DrawRow> {
  const [draw] = await selectDraws(
    tx,
    sql`where d.network_id = ${network_id} and d.id = ${id} for update of d`,
    'draw-lock',
  );
  return draw!;
}

export async function lastResults(on: Queryable, pair: PairRow, count: number = RESULTS_SHOWN): Promise<DrawResult[]> {
  const rows = await on.query<ResultRow>(
    sql`select id, ${sql.raw(DRAW_NUMBER)} as number, draws_at, result, result_label, booster, source, outside,
       ${correctedAt(sql`${pair.network_id}`)} as corrected_at from draws d
     where network_id = ${pair.network_id} and game_id = ${pair.game_id} and status in ${sql.raw(WITH_RESULT)}
       order by opens_at desc limit ${count}`.named('draw-results'),
  );
  return rows.map(toDrawResult);
}

/** Latest results, for outcome frequency. Excludes cleared days. */
export async function countedResults(
  on: Queryable,
  pair: PairRow,
  count: number,
): Promise<Pick<ResultRow, 'result'>[]> {
  return on.query<Pick<ResultRow, 'result'>>(
    sql`select result from draws d
     where network_id = ${pair.network_id} and game_id = ${pair.game_id} and status in ${sql.raw(WITH_RESULT)} and not exists (
       select from clearings c where c.network_id = ${pair.network_id} and c.model = 'frequency'
         and d.draws_at >= c.starts_at and d.draws_at < c.ends_at)
     order by opens_at desc limit ${count}`.named('draw-results-counted'),
  );
}

export function toDrawResult(row: ResultRow): DrawResult {
  return {
    drawno: row.result_label,
    result: row.result,
    booster: row.booster,
    source: row.source,
    drawId: row.id,
    number: Number(row.number),
    drawsAt: row.draws_at.toISOString(),
    outside: row.outside,
    correctedAt: row.corrected_at?.toISOString() ?? null,
  };
}

export async function findSettled(on: Queryable, pair: PairRow, id: string): Promise<DrawRow | undefined> {
  const [draw] = await selectDraws(
    on,
    sql`where d.network_id = ${pair.network_id} and d.id = ${id} and d.game_id = ${pair.game_id} and d.status in ${sql.raw(WITH_RESULT)}`,
    'draw-settled',
  );
  return draw;
}

export function toDrawSummary(
  draw: Pick<DrawRow, 'id' | 'number' | 'opens_at' | 'closes_at' | 'draws_at' | 'draw_status' | 'outside'>,
): ShortDraw {
  return {
    _id: draw.id,
    number: Number(draw.number),
    opensAt: draw.opens_at.toISOString(),
    closesAt: draw.closes_at.toISOString(),
    drawsAt: draw.draws_at.toISOString(),
    status: draw.draw_status,
    outside: draw.outside,
  };
}

export function toDrawView(draw: DrawRow): DrawView {
  return { ...toDrawSummary(draw), commitment: draw.commitment.toString('hex') };
}
