import { pointsText } from '@drawhouse/contract/frame/primitives';
import { PAY_SCALE } from '@drawhouse/rules/game-rules';
import type { GameRules } from '@drawhouse/rules/rules';
import { worstResult } from '@drawhouse/rules/worst';
import type { Tx } from '../db/database.ts';
import { CallError } from '../http/http-errors.ts';
import { lockEscrow } from '../ledger/stakes.ts';
import type { BetDraw, KnownDraw } from './bet-draw.ts';
import type { StoredLine } from '@drawhouse/rules/ticket-lines';
import { stakesOf } from './tickets.sql.ts';

/** The most that a draw may come to pay, and that may be staked on it, in hundredths: more, a number of JSON does not hold exactly. */
const MOST_OF_DRAW: bigint = 2n ** 53n;

/**
 * Below so small a part of the most, what other servers take at the same moment can't lead beyond it: a game has one batch under way on each
 * server, and there are not as many servers. So nothing has to be locked and summed up there, where nearly all draws are.
 */
const FAR_BELOW = MOST_OF_DRAW / 64n;

/** What a draw could pay at most. */
export interface WinBound {
  /** Why a bet can't be taken: the draw could come to more with it. Undefined where it could not. */
  refusalOf(lines: readonly StoredLine[]): CallError | undefined;
  /** Counts a bet that is taken. */
  count(lines: readonly StoredLine[]): void;
}

const FAR: WinBound = { refusalOf: () => undefined, count: () => {} };

/**
 * What a draw could pay at most, by the stakes on it and the highest booster, so that no bet is taken with which it could not be settled.
 * Where that might be near the most, the escrow is locked, without which nobody stakes on the game. `stake`: of all bets of the batch, in hundredths.
 */
export async function readWinBound(
  tx: Tx,
  draw: Pick<BetDraw, 'escrow'>,
  { row, rules }: KnownDraw,
  stake: bigint,
): Promise<WinBound> {
  if (((draw.escrow + stake) * highestPay(rules)) / BigInt(PAY_SCALE) <= FAR_BELOW) return FAR;
  const [, staked] = await Promise.all([lockEscrow(tx, row.network_id, row.game_id), stakesOf(tx, row)]);
  const withLines = (lines: readonly StoredLine[]): Map<string, bigint> => {
    const all = new Map(staked);
    for (const { key, qty } of lines) all.set(key, (all.get(key) ?? 0n) + BigInt(qty) * row.unit_price);
    return all;
  };
  return {
    refusalOf(lines) {
      const most = mostOf(rules, withLines(lines));
      if (most <= MOST_OF_DRAW) return undefined;
      return new CallError('LIMIT_REACHED', {
        fields: {
          lines:
            `With this bet ${pointsText(most)} points could be won on the draw; the most that a draw can pay is ` +
            `${pointsText(MOST_OF_DRAW)}, of which ${pointsText(MOST_OF_DRAW - mostOf(rules, staked))} are left`,
        },
      });
    },
    count(lines) {
      for (const [key, sum] of withLines(lines)) staked.set(key, sum);
    },
  };
}

/** What a unit pays at most, in hundredths, with the highest booster. */
function highestPay({ heads, maxBooster }: GameRules): bigint {
  return BigInt(Math.max(...heads.map((head) => head.payHundredths)) * maxBooster);
}

/** The larger of what stakes could win together and what they are. */
function mostOf(rules: GameRules, stakes: ReadonlyMap<string, bigint>): bigint {
  const won = worstResult(rules, stakes, rules.maxBooster)?.pays ?? 0n;
  const staked = [...stakes.values()].reduce((sum, stake) => sum + stake, 0n);
  return won > staked ? won : staked;
}
