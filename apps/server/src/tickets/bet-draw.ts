import type { GameRules } from '@drawhouse/rules/rules';
import type { Tx } from '../db/database.ts';
import { lastOpened, selectDraws } from '../draws/draws.sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';

/** What of a draw never changes. */
export interface KnownDraw {
  readonly row: DrawRow;
  readonly rules: GameRules;
}

/** The draw that bets are laid on, locked against closing, with the limits of its game. */
export interface BetDraw extends Pick<DrawRow, 'id' | 'draw_status' | 'opens_at' | 'closes_at'> {
  /** The most that may be staked, in hundredths: on one bet of the draw by all players, on one ticket, by one player on the draw. */
  readonly per_number: bigint | null;
  readonly per_ticket: bigint | null;
  readonly per_player: bigint | null;
}

/** So many draws are known, those that were asked for first go first. */
const KNOWN_MAX = 5_000;
const known = new Map<string, KnownDraw>();

/** The draw of a game that opened last, locked so that it does not close while bets are taken on it; undefined where the game is not open. */
export async function lockBetDraw(tx: Tx, networkId: number, gameKey: string, now: Date): Promise<BetDraw | undefined> {
  const [draw] = await tx.query<BetDraw>(
    `select d.id, d.status as draw_status, d.opens_at, d.closes_at, ng.per_number, ng.per_ticket, ng.per_player
     from games g join network_games ng on ng.network_id = $1 and ng.game_id = g.id
     join draws d on d.network_id = $1 and d.id = ${lastOpened('$1', 'g.id', '$3')}
     where g.game_key = $2 and g.status = 'active' for share of d`,
    [networkId, gameKey, now],
    'bets-draw',
  );
  return draw;
}

/** What of a draw never changes, read once. */
export async function knownDraw(tx: Tx, networkId: number, { id }: BetDraw): Promise<KnownDraw> {
  const found = known.get(id);
  if (found) return found;
  const [row] = await selectDraws(tx, 'where d.network_id = $1 and d.id = $2', [networkId, id], 'bets-draw-known');
  const draw = { row: row!, rules: rulesOf(row!) };
  known.set(id, draw);
  if (known.size > KNOWN_MAX) known.delete(known.keys().next().value!);
  return draw;
}
