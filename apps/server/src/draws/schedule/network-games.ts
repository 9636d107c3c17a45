import { WITH_RESULT } from '../../config/draw-states.ts';
import type { AwaitedDraw, DrawResult, ShortDraw } from '@drawhouse/contract/draws/draws';
import { paysOf, type Pays } from '@drawhouse/rules/games/pays';
import { nextToOpen } from '@drawhouse/rules/time/schedule';
import type { Queryable } from '../../platform/db/database.ts';
import { cadenceOf, pairsOfNetwork, rulesOf, type PairRow } from '../../games/games.sql.ts';
import { awaitedJson, correctedAt, DRAW_NUMBER, toAwaited, toDrawSummary, type DrawRow } from '../draws.sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';

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
  /** Oldest first. */
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

/** Sorted by name, with recent results. Includes closed games with a running draw. */
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
