import { commissionCeiling } from '../accounts/table-line.ts';
import { WITH_RESULT } from '../draw-states.ts';
import type { DrawResult, DrawView, ShortDraw, VOID_CAUSE } from '@drawhouse/contract/draws/draws';
import type { Beacon } from '@drawhouse/rules/beacon-rounds';
import type { Result } from '@drawhouse/rules/rules';
import { arrayOf } from '../db/array-of.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { gameColumns } from '../games/games.sql.ts';
import type { GameRow, PairRow } from '../games/games.sql.ts';
import { TERMS } from './draw-terms.ts';
import type { DrawTerms } from '@drawhouse/rules/terms';
import { oneNetworkAmong, overNetworks } from '../over-networks.ts';
import { nextToOpen } from '@drawhouse/rules/schedule';

/** How many results a strip shows. */
const RESULTS_SHOWN = 20;

/** The columns by which a drawn result is shown. */
export interface ResultRow {
  id: string;
  number: bigint;
  draws_at: Date;
  result: DrawResult['result'];
  result_label: string;
  booster: number;
  source: DrawResult['source'];
}

/**
 * A draw with its game; price, pays, how its result comes about and whether its wins are to be claimed are those that it was opened with.
 */
export interface DrawRow extends Omit<GameRow, 'pays'>, Pick<DrawTerms, 'rules_version' | 'pays' | 'weights'> {
  /** Null without any. */
  beacons: readonly Beacon[] | null;
  /** The values of its beacons, in their order, each null until it is there; null without a beacon. */
  beacon_signatures: (Buffer | null)[] | null;
  /** When the server saw the close of a draw with beacons in the seals; null before. */
  root_sealed_at: Date | null;
  /** Until when these are waited for; null once all are there. */
  awaits_until: Date | null;
  id: string;
  network_id: number;
  number: bigint;
  opens_at: Date;
  closes_at: Date;
  draws_at: Date;
  /** How many changes of commission rates its network had had when it opened. */
  rate_changes: number;
  /** The commission ceiling of its network when it opened, in hundredths of a percent. */
  commission_ceiling: number;
  draw_status: DrawView['status'];
  commitment: Buffer;
  /** Null once the seed is public. */
  sealed_seed: Buffer | null;
  seed: Buffer | null;
  /** The root of the tree over its tickets; null while it is open. */
  ticket_root: Buffer | null;
  ticket_count: number | null;
  /** Whether its tickets were cleared since. */
  tickets_cleared: boolean;
  /** When betting closed; null while it is open. */
  closed_at: Date | null;
  saved_result: Result | null;
  saved_booster: number | null;
  saved_by: string | null;
  saved_at: Date | null;
  /** From where it was saved; null where nobody knows. */
  saved_ip: string | null;
  /** What the admin's credit put onto the table for the saved result, in hundredths; null if nothing, or it went back. */
  cover: bigint | null;
  confirmed_by: string | null;
  confirmed_ip: string | null;
  result: Result | null;
  result_label: string | null;
  booster: number | null;
  source: DrawResult['source'] | null;
  /** Why it is void; null of any other. */
  void_cause: (typeof VOID_CAUSE)[number] | null;
}

/** A draw that has its result. */
export type DrawnRow = DrawRow & { result: Result; result_label: string; booster: number };

/** A draw that opens. */
export interface NewDraw {
  readonly id: string;
  readonly game_id: string;
  readonly opens_at: Date;
  readonly closes_at: Date;
  readonly draws_at: Date;
  readonly commitment: Buffer;
  readonly sealed_seed: Buffer;
  readonly terms_id: string;
  readonly terms: DrawTerms;
  /** Null without a beacon. */
  readonly awaits_until: Date | null;
}

/** SQL for the number of a draw `d`, which counts intervals of its length since 1970 (`drawAt`); null where it has none. */
export const DRAW_NUMBER =
  'floor(extract(epoch from d.opens_at) / nullif(round(extract(epoch from d.draws_at - d.opens_at)), 0))::bigint';

/**
 * SQL for the root of the ticket tree of a draw `d`: that of no tickets is not stored, as it is the SHA-256 of nothing (RFC 6962). Null while
 * the draw is open.
 */
export const TICKET_ROOT = "coalesce(d.ticket_root, case when d.ticket_count = 0 then sha256('') end)";

/** The columns of a {@link DrawRow} from draws `d` with games `g` and `terms`. */
export const DRAW = `${gameColumns('terms')}, d.id, d.network_id, ${DRAW_NUMBER} as number, d.opens_at, d.closes_at, d.draws_at, d.rate_changes, d.commission_ceiling,
  d.status as draw_status, d.commitment, d.sealed_seed, d.seed, terms.rules_version, terms.weights, terms.beacons, d.beacon_signatures, d.awaits_until, d.root_sealed_at, ${TICKET_ROOT} as ticket_root, d.ticket_count, d.tickets_cleared, d.closed_at,
  d.saved_result, d.saved_booster, d.saved_by, d.saved_at, d.saved_ip, d.cover, d.confirmed_by, d.confirmed_ip, d.result, d.result_label, d.booster, d.source, d.void_cause`;

/** When a closed draw ends that is ended now: not before it closed, which another server's clock may have put ahead of this one's. */
export function endOf(draw: Pick<DrawRow, 'closed_at'>, now: Date): Date {
  return draw.closed_at && draw.closed_at > now ? draw.closed_at : now;
}

/**
 * Whether a draw has a saved result that may still stand, or did: not that of a void draw, nor one that a generated result has replaced, nor
 * one of a draw whose results are only generated.
 */
export function hasSaved<Draw extends Pick<DrawRow, 'saved_result' | 'draw_status' | 'source' | 'result_mode'>>(
  draw: Draw,
): draw is Draw & { saved_result: Result } {
  if (draw.saved_result === null || draw.draw_status === 'void') return false;
  return draw.source === null ? draw.result_mode !== 'generated' : draw.source === 'declared';
}

/** Whether the saved result of a draw of two persons waits for the second one: nobody has confirmed it yet. */
export function awaitsSecond(draw: Pick<DrawRow, 'saved_result' | 'confirmed_by' | 'result_mode'>): boolean {
  return draw.saved_result !== null && draw.confirmed_by === null && draw.result_mode === 'two-person';
}

/** What picks draws out: the end of a SELECT over draws `d`, games `g` and the `terms` of each draw. */
export async function selectDraws(
  on: Queryable,
  end: string,
  values: readonly unknown[],
  name?: string,
): Promise<DrawRow[]> {
  return on.query<DrawRow>(
    `select ${DRAW} from draws d join games g on g.id = d.game_id join draw_terms terms on terms.id = d.terms_id ${end}`,
    values,
    name,
  );
}

/**
 * Opens draws of pairs of a network that are locked for it, and keeps their terms where no draw has had them yet; of those whose ids are in `stored` the database has
 * them. Gives those that it has opened.
 */
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
    `with kept as (
       insert into draw_terms (${TERMS}) select ${TERMS}
       from jsonb_to_recordset($2) as t (id uuid, rules_version int, unit_price bigint, pays jsonb, weights jsonb, result_mode text, manual_claims boolean, beacons jsonb)
       order by id on conflict do nothing
     )
     insert into draws (network_id, id, game_id, opens_at, closes_at, draws_at, status, commitment, sealed_seed, terms_id, awaits_until, beacon_signatures, rate_changes, commission_ceiling)
     select $1, id, game_id, opens_at, closes_at, draws_at, 'open', decode(commitment, 'hex'), decode(sealed_seed, 'hex'), terms_id,
            awaits_until, case when beacons > 0 then array_fill(null::bytea, array[beacons]) end,
            coalesce((select max(nth) from rate_changes where network_id = $1), 0), ${commissionCeiling('$1')}
     from unnest($3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[], $8::text[], $9::text[], $10::uuid[], $11::timestamptz[], $12::int[])
       as d (id, game_id, opens_at, closes_at, draws_at, commitment, sealed_seed, terms_id, awaits_until, beacons)
     order by game_id on conflict do nothing returning id`,
    [
      networkId,
      JSON.stringify([...terms.values()]),
      arrayOf(draws.map((draw) => draw.id)),
      arrayOf(draws.map((draw) => draw.game_id)),
      arrayOf(draws.map((draw) => draw.opens_at.toISOString())),
      arrayOf(draws.map((draw) => draw.closes_at.toISOString())),
      arrayOf(draws.map((draw) => draw.draws_at.toISOString())),
      arrayOf(draws.map((draw) => draw.commitment.toString('hex'))),
      arrayOf(draws.map((draw) => draw.sealed_seed.toString('hex'))),
      arrayOf(draws.map((draw) => draw.terms_id)),
      draws.map((draw) => draw.awaits_until),
      draws.map((draw) => draw.terms.beacons?.length ?? 0),
    ],
    'draws-open',
  );
  const ids = new Set(opened.map(({ id }) => id));
  return draws.filter(({ id }) => ids.has(id));
}

/** SQL for the draw of a network and a game that opened last by an instant: its id, or when it ends. */
export const lastOpened = (network: string, game: string, now: string): string =>
  `(select last.id from draws last where last.network_id = ${network} and last.game_id = ${game} and last.opens_at <= ${now}
    order by last.opens_at desc limit 1)`;

/** The draw of a pair that runs at an instant, undefined where none does; and when the next one opens, null while its game is not open. */
export async function currentDraw(
  on: Queryable,
  pair: PairRow,
  now: Date,
): Promise<{ draw: DrawRow | undefined; nextOpensAt: Date | null }> {
  const [last] = await selectDraws(
    on,
    `where d.network_id = $1 and d.id = ${lastOpened('$1', '$2', '$3')}`,
    [pair.network_id, pair.game_id, now],
    'draw-running',
  );
  return {
    draw: last && last.draws_at > now ? last : undefined,
    nextOpensAt: pair.running ? nextToOpen(now, pair.interval_seconds, last?.draws_at ?? null).opensAt : null,
  };
}

/** The draw of a pair that runs at an instant; undefined where none was opened. */
export async function runningDraw(on: Queryable, pair: PairRow, now: Date): Promise<DrawRow | undefined> {
  return (await currentDraw(on, pair, now)).draw;
}

/** When the draws of a game that run at an instant open and are drawn, in these networks; the one that is drawn first comes first. */
export async function runningTimes(
  on: Queryable,
  gameId: string,
  networkIds: readonly number[],
  now: Date,
): Promise<Pick<DrawRow, 'opens_at' | 'draws_at'>[]> {
  const one = oneNetworkAmong(networkIds);
  const network = one === undefined ? 'n.network_id' : '$4';
  return on.query(
    `select d.opens_at, d.draws_at
     from unnest($2::int[]) as n (network_id) join draws d on d.network_id = ${network} and d.id = ${lastOpened(network, '$1', '$3')}
     where d.draws_at > $3 order by d.draws_at ${one === undefined ? overNetworks('superadmin') : ''}`,
    [gameId, networkIds, now, ...(one === undefined ? [] : [one])],
    one === undefined ? 'draws-times' : 'draws-times-in-one',
  );
}

/** The draw with an id, in whatever network: each is asked for it by the key of its draws. */
export async function findDraw(on: Queryable, id: string): Promise<DrawRow | undefined> {
  const [draw] = await selectDraws(
    on,
    `where (d.network_id, d.id) = (
       select n.id, found.id from networks n
       cross join lateral (select one.id from draws one where one.network_id = n.id and one.id = $1 offset 0) as found limit 1) ${overNetworks('named')}`,
    [id],
  );
  return draw;
}

/** Locks a draw for a change of its state, and reads it again as it then is. */
export async function lockDraw(tx: Tx, { network_id, id }: DrawRow): Promise<DrawRow> {
  const [draw] = await selectDraws(
    tx,
    'where d.network_id = $1 and d.id = $2 for update of d',
    [network_id, id],
    'draw-lock',
  );
  return draw!;
}

/** The last results of a pair, newest first: as many as every strip shows, unless said otherwise. */
export async function lastResults(on: Queryable, pair: PairRow, count: number = RESULTS_SHOWN): Promise<DrawResult[]> {
  const rows = await on.query<ResultRow>(
    `select id, ${DRAW_NUMBER} as number, draws_at, result, result_label, booster, source from draws d
     where network_id = $1 and game_id = $2 and status in ${WITH_RESULT} order by opens_at desc limit $3`,
    [pair.network_id, pair.game_id, count],
    'draw-results',
  );
  return rows.map(toDrawResult);
}

/** The last results of a pair that count in how often each outcome came: those of days that were cleared of it do not. */
export async function countedResults(
  on: Queryable,
  pair: PairRow,
  count: number,
): Promise<Pick<ResultRow, 'result'>[]> {
  return on.query<Pick<ResultRow, 'result'>>(
    `select result from draws d
     where network_id = $1 and game_id = $2 and status in ${WITH_RESULT} and not exists (
       select from clearings c where c.network_id = $1 and c.model = 'frequency' and d.draws_at >= c.starts_at and d.draws_at < c.ends_at)
     order by opens_at desc limit $3`,
    [pair.network_id, pair.game_id, count],
    'draw-results-counted',
  );
}

/** A drawn result as strips show it. */
export function toDrawResult(row: ResultRow): DrawResult {
  return {
    drawno: row.result_label,
    result: row.result,
    booster: row.booster,
    source: row.source,
    drawId: row.id,
    number: Number(row.number),
    drawsAt: row.draws_at.toISOString(),
  };
}

/** A draw of a pair whose result is public; undefined where the pair has none of this id, or it has none yet. */
export async function findSettled(on: Queryable, pair: PairRow, id: string): Promise<DrawRow | undefined> {
  const [draw] = await selectDraws(
    on,
    `where d.network_id = $1 and d.id = $2 and d.game_id = $3 and d.status in ${WITH_RESULT}`,
    [pair.network_id, id, pair.game_id],
    'draw-settled',
  );
  return draw;
}

/** A draw as the list of all panels has it. */
export function toShortDraw(
  draw: Pick<DrawRow, 'id' | 'number' | 'opens_at' | 'closes_at' | 'draws_at' | 'draw_status'>,
): ShortDraw {
  return {
    _id: draw.id,
    number: Number(draw.number),
    opensAt: draw.opens_at.toISOString(),
    closesAt: draw.closes_at.toISOString(),
    drawsAt: draw.draws_at.toISOString(),
    status: draw.draw_status,
  };
}

/** A draw as panels and players see it. */
export function toDrawView(draw: DrawRow): DrawView {
  return { ...toShortDraw(draw), commitment: draw.commitment.toString('hex') };
}
