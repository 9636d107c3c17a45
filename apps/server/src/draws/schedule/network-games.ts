import type { AwaitedDraw, DrawResult, ShortDraw } from '@drawhouse/contract/draws/draws';
import { paysOf, type Pays } from '@drawhouse/rules/games/pays';
import { nextToOpen } from '@drawhouse/rules/time/schedule';
import { WITH_RESULT, UNFINISHED } from '../../config/draw-states.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { cadenceOf, pairsOfNetwork, rulesOf, type PairRow, pairsOperatedBy } from '../../games/games.sql.ts';
import {
  awaitedJson,
  correctedAt,
  DRAW_NUMBER,
  toAwaited,
  toDrawSummary,
  type DrawRow,
  type ResultRow,
} from '../draws.sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { SAVED_BY } from '../../activity/log-source.ts';
import { commissionCeiling, tableLine } from '../../accounts/accounts.sql.ts';
import type { Viewer } from '../../platform/db/visibility-predicate.ts';
import { escrowVersion, tableBalance } from '../../ledger/wallets.ts';
import { singleNetworkOf, networkOrColumnSql } from '../../platform/db/cross-network-sql.ts';

export interface NetworkGame {
  readonly pair: PairRow;
  readonly draw: (ShortDraw & { readonly commitment: string }) | null;
  /** Null while the game is not open. */
  readonly nextOpensAt: Date | null;
  /** The running draw's, else the next one's. */
  readonly terms: {
    readonly unitPrice: bigint;
    readonly pays: Pays;
    readonly manualClaims: boolean;
  };
  readonly results: readonly DrawResult[];
  readonly awaited: readonly AwaitedDraw[];
}

type LastDraw = Pick<
  DrawRow,
  'id' | 'number' | 'opens_at' | 'closes_at' | 'draws_at' | 'draw_status' | 'commitment' | 'outside'
> & { draw_price: bigint; draw_pays: Pays; draw_claims: boolean };
type StoredResult = Omit<DrawResult, 'keptWith'> & { readonly keptWith: string | null };
type StoredGame = PairRow & { results: StoredResult[] | null; awaited: AwaitedDraw[] } & (
    | LastDraw
    | { [K in keyof LastDraw]: null }
  );

export async function readNetworkGames(
  on: Queryable,
  networkId: number,
  now: Date,
  results: number,
): Promise<NetworkGame[]> {
  const rows = await on.query<StoredGame>(
    sql`${pairsOfNetwork(networkId)}
     select pair.*, d.id, ${sql.raw(DRAW_NUMBER)} as number, d.opens_at, d.closes_at, d.draws_at,
       d.status as draw_status, d.commitment, d.outside,
       terms.unit_price as draw_price, terms.pays as draw_pays, terms.manual_claims as draw_claims,
       (select json_agg(json_build_object('drawno', r.result_label, 'result', r.result, 'booster', r.booster, 'source', r.source,
                                          'drawId', r.id, 'number', r.number, 'drawsAt', r.draws_at,
           'outside', r.outside, 'correctedAt', r.corrected_at) order by r.opens_at desc)
        from (select d.id, ${sql.raw(DRAW_NUMBER)} as number, d.opens_at, d.draws_at, d.result, d.result_label,
          d.booster, d.source, d.outside, ${correctedAt(sql`${networkId}`)} as corrected_at from draws d
              where d.network_id = ${networkId} and d.game_id = pair.game_id and d.status in ${sql.raw(WITH_RESULT)}
              order by d.opens_at desc limit ${results}) r) as results,
       ${awaitedJson(sql`${networkId}`, sql`pair.game_id`, now)} as awaited
     from pair
     left join lateral (
       select * from draws o where o.network_id = ${networkId} and o.game_id = pair.game_id and o.opens_at <= ${now}
         order by o.opens_at desc limit 1
     ) d on true
     left join draw_terms terms on terms.id = d.terms_id
     where pair.running or d.draws_at > ${now} order by lower(pair.name) collate natural_order, pair.game_key`.named(
      'draws-of-network',
    ),
  );
  return rows.map((row) => toNetworkGame(row, now));
}

function toNetworkGame(row: StoredGame, now: Date): NetworkGame {
  const isRunning = row.id !== null && row.draws_at > now;
  return {
    pair: row,
    draw: isRunning ? { ...toDrawSummary(row), commitment: row.commitment.toString('hex') } : null,
    nextOpensAt: row.running ? (nextToOpen(now, cadenceOf(row), row.draws_at)?.opensAt ?? null) : null,
    terms: isRunning
      ? { unitPrice: row.draw_price, pays: row.draw_pays, manualClaims: row.draw_claims }
      : { unitPrice: row.unit_price, pays: paysOf(rulesOf(row)), manualClaims: row.manual_claims },
    awaited: toAwaited(row.awaited),
    results: (row.results ?? []).map(({ keptWith, ...result }) => ({
      ...result,
      drawsAt: new Date(result.drawsAt).toISOString(),
      correctedAt: result.correctedAt && new Date(result.correctedAt).toISOString(),
      ...(keptWith !== null && { keptWith }),
    })),
  };
}

type LastShownDraw = Pick<
  DrawRow,
  | 'number'
  | 'opens_at'
  | 'closes_at'
  | 'draws_at'
  | 'draw_status'
  | 'weights'
  | 'saved_result'
  | 'saved_booster'
  | 'saved_by'
  | 'cover'
  | 'confirmed_by'
  | 'source'
  | 'outside'
> & { draw_id: string; draw_pays: DrawRow['pays']; draw_mode: DrawRow['result_mode']; saved_by_name: string | null };

type LastResult = { [K in keyof ResultRow as `last_${K}`]: ResultRow[K] };

type None<Columns> = { [K in keyof Columns]: null };

export type PairOverview = PairRow & {
  /** Hash of the logo, else the image. */
  image: Buffer | null;
  /** Number of the escrow's transfers: if unchanged, stakes are too. */
  escrow_version: bigint | null;
  balance: bigint;
  line: bigint;
  /** In hundredths of a percent. */
  ceiling: number;
  /** A draw with tickets was drawn late, or not settled in time. */
  owes: boolean;
  awaited: AwaitedDraw[];
} & (LastShownDraw | None<LastShownDraw>) &
  (LastResult | None<LastResult>);

/** Sorted by game and admin name, with last draw and result. One statement for hundreds. */
export async function readShownPairs(on: Queryable, viewer: Viewer, now: Date): Promise<PairOverview[]> {
  const one = singleNetworkOf(viewer);
  const network = networkOrColumnSql(one, 'pair.network_id');
  const ofAdmin = networkOrColumnSql(one, 'admins.network_id');
  return on.query<PairOverview>(
    sql`${pairsOperatedBy(viewer)}, backed as materialized (
       select network_id, ${tableLine(ofAdmin)} as line, ${commissionCeiling(ofAdmin)} as ceiling from admins
     )
     select pair.*, coalesce(g.logo, g.image) as image, ${escrowVersion(network, sql`pair.game_id`)} as escrow_version,
       ${tableBalance(network, sql`pair.game_id`)} as balance, backed.line,
       greatest(backed.ceiling, d.commission_ceiling) as ceiling, d.cover,
       exists (select from draws o where o.network_id = ${network} and o.game_id = pair.game_id
         and o.status in ${sql.raw(UNFINISHED)} and o.ticket_count is distinct from 0
         and o.draws_at < ${now}::timestamptz - interval '5 seconds'
         and (o.id <> d.id or d.status in ('drawn', 'settling') or o.outside is not null)) as owes,
       ${awaitedJson(network, sql`pair.game_id`, now)} as awaited,
       d.id as draw_id, ${sql.raw(DRAW_NUMBER)} as number, d.opens_at, d.closes_at, d.draws_at, d.status as draw_status, d.source,
       d.outside,
       terms.pays as draw_pays, coalesce(terms.result_mode, pair.result_mode) as draw_mode, terms.weights,
       d.saved_result, d.saved_booster, d.saved_by, d.confirmed_by,
       ${SAVED_BY} as saved_by_name,
       last.id as last_id, last.number as last_number, last.draws_at as last_draws_at, last.result as last_result,
       last.result_label as last_result_label, last.booster as last_booster, last.source as last_source, last.outside as last_outside,
       last.corrected_at as last_corrected_at
     from pair join games g on g.id = pair.game_id join backed on backed.network_id = pair.network_id
     left join lateral (
       select * from draws o where o.network_id = ${network} and o.game_id = pair.game_id and o.opens_at <= ${now}
         order by o.opens_at desc limit 1
     ) d on true
     left join draw_terms terms on terms.id = d.terms_id
     left join lateral (
       select d.id, ${sql.raw(DRAW_NUMBER)} as number, d.draws_at, d.result, d.result_label, d.booster, d.source, d.outside,
         ${correctedAt(network)} as corrected_at from draws d
       where d.network_id = ${network} and d.game_id = pair.game_id and d.status in ${sql.raw(WITH_RESULT)} order by d.opens_at desc limit 1
     ) last on true
     order by lower(pair.name) collate natural_order, lower(pair.admin_username) collate natural_order`.named(
      one === undefined ? 'draw-tables' : 'draw-tables-in-one',
    ),
  );
}
