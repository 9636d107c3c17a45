import { pointsText } from '@drawhouse/contract/core/primitives';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { hasShares, NumberStakes } from '@drawhouse/rules/games/shares';
import type { Tx } from '../../platform/db/database.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { lockEscrow } from '../../ledger/stakes.ts';
import type { BetDraw } from './bet-draw.ts';
import type { StoredLine } from '@drawhouse/rules/games/ticket-lines';
import { allStakes, stakesByAccount, stakesByKey } from '../tickets.sql.ts';
import { TICKET_TEXTS } from '../tickets-texts.ts';

export interface LimitedBet {
  readonly accountId: string;
  readonly lines: readonly StoredLine[];
  readonly unitPrice: bigint;
  readonly stake: bigint;
}

export interface BetLimits {
  refusalOf(bet: LimitedBet): CallError | undefined;
  count(bet: LimitedBet): void;
}

const NONE: BetLimits = { refusalOf: () => undefined, count: () => {} };

/**
 * Reads stakes only for limits in force. Wallet locks freeze each player's stake; a per-number limit also locks the
 * escrow, so nobody else stakes on this game.
 */
export async function readBetLimits(
  tx: Tx,
  { network_id, game_id }: Pick<DrawRow, 'network_id' | 'game_id'>,
  { id, per_number, per_ticket, per_player }: BetDraw,
  { rules, keys, accountIds }: { rules: GameRules; keys: readonly string[]; accountIds: readonly string[] },
): Promise<BetLimits> {
  if (per_number === null && per_ticket === null && per_player === null) return NONE;
  const draw = { network_id, id };
  const locked = per_number === null ? undefined : lockEscrow(tx, network_id, game_id);
  // A number's stakes come from all bets that cover it.
  const stakes = (): Promise<Map<string, bigint>> =>
    hasShares(rules) ? allStakes(tx, draw) : stakesByKey(tx, draw, keys);
  const [staked, byPlayer] = await Promise.all([
    per_number === null ? undefined : stakes(),
    per_player === null ? undefined : stakesByAccount(tx, draw, accountIds),
    locked,
  ]);

  const onNumber = staked && new NumberStakes(rules, staked);
  const addLines = (lines: readonly StoredLine[], unitPrice: bigint): void => {
    for (const { key, qty } of lines) onNumber!.add(key, BigInt(qty) * unitPrice);
  };

  const numberRefusal = ({ lines, unitPrice }: LimitedBet): CallError | undefined => {
    if (!onNumber) return undefined;
    const index = lines.findIndex((line) => {
      const fits = BigInt(line.qty) * unitPrice <= onNumber.leftOn(line.key, per_number!);
      if (fits) addLines([line], unitPrice);
      return !fits;
    });
    addLines(index < 0 ? lines : lines.slice(0, index), -unitPrice);
    if (index < 0) return undefined;
    // The remainder would reveal how much others staked.
    return new CallError('LIMIT_REACHED', { fields: { [`lines.${index}`]: TICKET_TEXTS.numberFull } });
  };

  return {
    refusalOf(bet) {
      const { accountId, stake } = bet;
      if (per_ticket !== null && stake > per_ticket) return beyond('lines', per_ticket, TICKET_TEXTS.perTicket);
      const already = byPlayer?.get(accountId) ?? 0n;
      if (per_player !== null && already + stake > per_player)
        return beyond('lines', per_player - already, TICKET_TEXTS.perPlayer);
      return numberRefusal(bet);
    },
    count({ accountId, lines, unitPrice, stake }) {
      byPlayer?.set(accountId, (byPlayer.get(accountId) ?? 0n) + stake);
      if (onNumber) addLines(lines, unitPrice);
    },
  };
}

/** Negative if a limit was lowered below existing stakes. */
function beyond(field: string, left: bigint, what: string): CallError {
  return new CallError('LIMIT_REACHED', {
    fields: { [field]: TICKET_TEXTS.pointsAre(pointsText(left > 0n ? left : 0n), what) },
  });
}
