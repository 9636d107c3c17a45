import { SAVED_BY } from '../../activity/log-source.ts';
import type { AwaitedDraw } from '@drawhouse/contract/draws/draws';
import { UNFINISHED, WITH_RESULT } from '../../config/draw-states.ts';
import { commissionCeiling, tableLine } from '../../accounts/accounts.sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/db/visibility-predicate.ts';
import { pairsOperatedBy, type PairRow } from '../../games/games.sql.ts';
import { escrowVersion, tableBalance } from '../../ledger/wallets.ts';
import { awaitedJson, correctedAt, DRAW_NUMBER, type DrawRow, type ResultRow } from '../draws.sql.ts';
import { singleNetworkOf, networkOrColumnSql } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';

type LastDraw = Pick<
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
} & (LastDraw | None<LastDraw>) &
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
