import { boosterMean, highestBooster } from '@drawhouse/rules/booster';
import { headsAboveStake } from '@drawhouse/rules/rules';
import type { GameRules } from '@drawhouse/rules/rules';
import { LRUCache } from 'lru-cache';
import { tableLine } from '../accounts/table-line.ts';
import { UNFINISHED } from '../draw-states.ts';
import type { Tx } from '../db/database.ts';
import { enterDrawGate } from '../draws/draw-gate.ts';
import { lastOpened, selectDraws } from '../draws/draws.sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import { escrowBalance, tableBalance } from '../ledger/wallets.ts';
import { pieceOf, sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

/** What of a draw never changes. */
export interface KnownDraw {
  readonly row: Pick<
    DrawRow,
    'network_id' | 'id' | 'game_id' | 'game_key' | 'family' | 'digits' | 'unit_price' | 'commission_ceiling'
  >;
  readonly rules: GameRules;
  /** The highest booster that the odds allow. */
  readonly booster: number;
  /** The heads that return more than is laid on them in the long run. */
  readonly above: ReadonlySet<string>;
}

/** The draw that bets are laid on, with the limits of its game. */
export interface BetDraw extends Pick<DrawRow, 'id' | 'draw_status' | 'opens_at' | 'closes_at'> {
  /** Whether it is locked against closing; without that nothing can be laid on it. */
  readonly isLocked: boolean;
  /** False while the network is restored. */
  readonly hasOpenBooks: boolean;
  /** The most that may be staked, in hundredths: on one bet of the draw by all players, on one ticket, by one player on the draw. */
  readonly per_number: bigint | null;
  readonly per_ticket: bigint | null;
  readonly per_player: bigint | null;
  /** What is staked on the game and not drawn yet, in hundredths, but for what others take at this moment. */
  readonly escrow: bigint;
  /** The balance of the table, and how far it may fall below zero, in hundredths. */
  readonly table: bigint;
  readonly line: bigint;
  /** True if other draws of the game may still take something out of the table. */
  readonly others: boolean;
}

/** The draws that were bet on last, by their id, which no draw of another database has. */
const known = new LRUCache<string, KnownDraw>({ max: 5_000 });

/**
 * The draw of a game that opened last; undefined where the game is not open. While it can still take bets it is locked, so that it does
 * not close meanwhile; after that whoever closes it finds it free.
 */
export async function lockBetDraw(tx: Tx, networkId: number, gameKey: string, now: Date): Promise<BetDraw | undefined> {
  type Found = Omit<BetDraw, 'hasOpenBooks'> | undefined;
  const read = async (end: Sql, isLocked: boolean): Promise<Found> => {
    const [draw] = await tx.query<Omit<BetDraw, 'isLocked' | 'hasOpenBooks'>>(
      sql`select d.id, d.status as draw_status, d.opens_at, d.closes_at, ng.per_number, ng.per_ticket, ng.per_player, ${pieceOf(escrowBalance('$1', 'g.id'), networkId)} as escrow,
              ${pieceOf(tableBalance('$1', 'g.id'), networkId)} as table, ${pieceOf(tableLine('$1'), networkId)} as line,
              exists (select from draws o where o.network_id = ${networkId} and o.game_id = g.id and o.status in ${sql.raw(UNFINISHED)}
                        and o.ticket_count is distinct from 0 and o.id <> d.id) as others
       from games g join network_games ng on ng.network_id = ${networkId} and ng.game_id = g.id
       join draws d on d.network_id = ${networkId} and d.id = ${pieceOf(lastOpened('$1', 'g.id', '$2'), networkId, now)}
       where g.game_key = ${gameKey} and g.status = 'active' ${end}`.named(isLocked ? 'bets-draw' : 'bets-draw-closed'),
    );
    return draw && { ...draw, isLocked };
  };
  // In a pipelined transaction both are said at once, and done in this order.
  const [hasOpenBooks, open] = await Promise.all([
    enterDrawGate(tx, { networkId, gameKey }, 'bet'),
    read(sql`and d.closes_at > ${now} for share of d`, true),
  ]);
  const draw = open ?? (await read(sql``, false));
  return draw && { ...draw, hasOpenBooks };
}

/** What of a draw never changes, read once. */
export async function knownDraw(tx: Tx, networkId: number, { id }: BetDraw): Promise<KnownDraw> {
  const found = known.get(id);
  if (found) return found;
  const [row] = await selectDraws(tx, 'where d.network_id = $1 and d.id = $2', [networkId, id], 'bets-draw-known');
  const { network_id, game_id, game_key, family, digits, unit_price, commission_ceiling } = row!;
  const rules = rulesOf(row!);
  const { weights } = row!;
  const draw = {
    row: { network_id, id, game_id, game_key, family, digits, unit_price, commission_ceiling },
    rules,
    booster: highestBooster(weights),
    above: headsAboveStake(rules, boosterMean(weights)),
  };
  known.set(id, draw);
  return draw;
}
