import { boosterMean, highestBooster } from '@drawhouse/rules/fair/booster';
import { headsAboveStake, type GameRules } from '@drawhouse/rules/games/rules';
import { LRUCache } from 'lru-cache';
import { tableLine } from '../../accounts/accounts.sql.ts';
import { UNFINISHED } from '../../config/draw-states.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enterDrawGate } from '../../draws/states/update-draw.ts';
import { lastOpened, selectDraws, type DrawRow } from '../../draws/draws.sql.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { escrowBalance, tableBalance } from '../../ledger/wallets.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

export interface DrawFacts {
  readonly row: Pick<
    DrawRow,
    'network_id' | 'id' | 'game_id' | 'game_key' | 'family' | 'digits' | 'unit_price' | 'commission_ceiling'
  >;
  readonly rules: GameRules;
  /** Highest booster with nonzero odds. */
  readonly booster: number;
  /** Heads with an expected return above 100 %. */
  readonly above: ReadonlySet<string>;
}

export interface BetDraw extends Pick<DrawRow, 'id' | 'draw_status' | 'opens_at' | 'closes_at'> {
  /** False: betting can close any moment, so no bet may be taken. */
  readonly isLocked: boolean;
  /** False during a restore. */
  readonly hasOpenBooks: boolean;
  /** Per bet over all players, per ticket, per player. */
  readonly per_number: bigint | null;
  readonly per_ticket: bigint | null;
  readonly per_player: bigint | null;
  /** Undrawn stakes on this game. Excludes uncommitted batches. */
  readonly escrow: bigint;
  readonly table: bigint;
  readonly line: bigint;
  /** Other draws may still take credit from this table. */
  readonly others: boolean;
}

/** Draw ids are unique across databases. */
const cache = new LRUCache<string, DrawFacts>({ max: 5_000 });

/**
 * The most recently opened draw of a game, or the one bought ahead, while bets are possible. Undefined if the game is
 * not open. Once betting time is over, the draw stays unlocked for the closing job.
 */
export async function lockBetDraw(
  tx: Tx,
  networkId: number,
  gameKey: string,
  now: Date,
  aheadId?: string,
): Promise<BetDraw | undefined> {
  type Found = Omit<BetDraw, 'hasOpenBooks'> | undefined;
  const network = sql`${networkId}::int`;
  const target = aheadId === undefined ? lastOpened(network, sql`g.id`, now) : sql`${aheadId}::uuid`;
  const read = async (end: Sql, isLocked: boolean): Promise<Found> => {
    const [draw] = await tx.query<Omit<BetDraw, 'isLocked' | 'hasOpenBooks'>>(
      sql`select d.id, d.status as draw_status, coalesce(d.bets_from, d.opens_at) as opens_at, d.closes_at,
        ng.per_number, ng.per_ticket, ng.per_player,
        ${escrowBalance(network, sql`g.id`)} as escrow,
              ${tableBalance(network, sql`g.id`)} as table, ${tableLine(network)} as line,
              exists (select from draws o where o.network_id = ${networkId} and o.game_id = g.id and o.status in ${sql.raw(UNFINISHED)}
                        and o.ticket_count is distinct from 0 and o.id <> d.id) as others
       from games g join network_games ng on ng.network_id = ${networkId} and ng.game_id = g.id
       join draws d on d.network_id = ${networkId} and d.id = ${target} and d.game_id = g.id
       where g.game_key = ${gameKey} and g.status = 'active' ${end}`.named(
        `bets-draw${aheadId === undefined ? '' : '-ahead'}${isLocked ? '' : '-closed'}`,
      ),
    );
    return draw && { ...draw, isLocked };
  };
  // Pipelined: one round trip, executed in this order.
  const [hasOpenBooks, open] = await Promise.all([
    enterDrawGate(tx, { networkId, gameKey }, 'bet'),
    read(sql`and d.closes_at > ${now} for share of d`, true),
  ]);
  const draw = open ?? (await read(sql``, false));
  return draw && { ...draw, hasOpenBooks };
}

export async function readDrawFacts(tx: Tx, networkId: number, { id }: BetDraw): Promise<DrawFacts> {
  const found = cache.get(id);
  if (found) return found;
  const [row] = await selectDraws(tx, sql`where d.network_id = ${networkId} and d.id = ${id}`, 'bets-draw-known');
  const { network_id, game_id, game_key, family, digits, unit_price, commission_ceiling } = row!;
  const rules = rulesOf(row!);
  const { weights } = row!;
  const draw = {
    row: { network_id, id, game_id, game_key, family, digits, unit_price, commission_ceiling },
    rules,
    booster: highestBooster(weights),
    above: headsAboveStake(rules, boosterMean(weights)),
  };
  cache.set(id, draw);
  return draw;
}
