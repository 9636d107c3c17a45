import type { Services } from '../db/services.ts';
import { CallError, notReady } from '../http/http-errors.ts';
import { lockCredits } from '../ledger/stakes.ts';
import { createSlots } from '../slots.ts';
import { endWait, refuseLate, takeHeld } from './bet-lane.ts';
import type { BetLane, WaitingBet } from './bet-lane.ts';

/** Lanes whose players are waited for, a connection each. */
const WAITS_AT_ONCE = 2;

/**
 * Makes what waits for the wallets of a lane's players that are locked elsewhere, by a settlement or a transfer, holding nothing else
 * meanwhile: neither the lane nor the draw. Then their bets come first. `onError` hears why one could not be waited for.
 */
export function createHeldBets(
  { db }: Pick<Services, 'db'>,
  waitMaxMs: number,
  onError: (error: unknown) => void,
): (lane: BetLane) => Promise<void> {
  const waits = createSlots(WAITS_AT_ONCE);
  return async (lane) => {
    const { networkId } = lane;
    const held = takeHeld(lane);
    const players = [...new Set(held.map(({ order }) => order.actor.id))];
    let there: WaitingBet[] = [];
    try {
      await waits.take();
      refuseLate(held, performance.now() - waitMaxMs);
      const wallets = await db
        .transaction((tx) => lockCredits(tx, networkId, players, 'wait'))
        .finally(() => waits.give());
      const isThere = ({ order }: WaitingBet): boolean => wallets.has(order.actor.id);
      there = held.filter(isThere);
      for (const { order, answer } of held.filter((waiting) => !isThere(waiting))) {
        onError(new Error(`No wallet of account ${order.actor.id} in network ${networkId}.`));
        answer(new CallError('NOT_READY'));
      }
    } catch (error) {
      onError(error);
      for (const { answer } of held) answer(notReady(error));
    } finally {
      endWait(lane, players, there);
    }
  };
}
