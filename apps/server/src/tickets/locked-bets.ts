import type { Services } from '../services.ts';
import { CallError, notReady } from '../http/http-errors.ts';
import { lockCredits } from '../ledger/stakes.ts';
import { createSemaphore } from '../semaphore.ts';
import { endWait, refuseLate, takeLocked } from './bet-lane.ts';
import type { BetLane, WaitingBet } from './bet-lane.ts';

/** Lanes whose players are waited for, a connection each. */
const WAITS_AT_ONCE = 2;

/**
 * Makes what waits for the wallets of a lane's players that are locked elsewhere, by a settlement or a transfer, holding nothing else
 * meanwhile: neither the lane nor the draw. Then their bets come first. `onError` hears why one could not be waited for.
 */
export function createLockedBets(
  { db }: Pick<Services, 'db'>,
  waitMaxMs: number,
  onError: (error: unknown) => void,
): (lane: BetLane) => Promise<void> {
  const waits = createSemaphore(WAITS_AT_ONCE);
  return async (lane) => {
    const { networkId } = lane;
    const locked = takeLocked(lane);
    const players = [...new Set(locked.map(({ order }) => order.actor.id))];
    let there: WaitingBet[] = [];
    try {
      await waits.acquire();
      refuseLate(locked, performance.now() - waitMaxMs);
      const wallets = await db
        .transaction((tx) => lockCredits(tx, networkId, players, 'wait'))
        .finally(() => waits.release());
      const isThere = ({ order }: WaitingBet): boolean => wallets.has(order.actor.id);
      there = locked.filter(isThere);
      for (const { order, answer } of locked.filter((waiting) => !isThere(waiting))) {
        onError(new Error(`No wallet of account ${order.actor.id} in network ${networkId}.`));
        answer(new CallError('NOT_READY'));
      }
    } catch (error) {
      onError(error);
      for (const { answer } of locked) answer(notReady(error));
    } finally {
      endWait(lane, players, there);
    }
  };
}
