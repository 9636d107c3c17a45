import { sumPoints } from '@drawhouse/contract/frame/hundredths';
import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';
import { useState } from 'react';
import { ApiError, sayOf } from '@drawhouse/session/api-client';
import { countText, pointsText } from '../lib/amounts.ts';
import { call, failureText } from '../lib/playerApi.ts';
import { mineRoutes } from './mineRoutes.ts';
import { say } from '../lib/sayings.ts';
import { noteWallet } from '../lib/wallet.ts';

/** A win that waits. */
type WaitingWin = Pick<PlayerTicket, '_id' | 'winpoints'>;

/** Claims wins, each once: however often one is asked for, the server moves it a single time. */
export function useClaim(onClaimed: (id: string) => void, onDoubt: () => void) {
  /** The win that is being claimed, or `all` while it is read which there are. */
  const [claiming, setClaiming] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const claimOne = async (id: string): Promise<void> => {
    setClaiming(id);
    const { walletBalance } = await call(mineRoutes.claim, { body: { ticketId: id } });
    noteWallet({ walletBalance });
    onClaimed(id);
  };
  const claim = async (id: string, win: number) => {
    if (claiming !== null) return;
    setFailure(null);
    try {
      await claimOne(id);
      say(`${pointsText(win)} points are in your wallet.`);
    } catch (error) {
      setFailure(doubtText(error));
      // Another device may have claimed it, or it was done and the answer was lost.
      onDoubt();
    }
    setClaiming(null);
  };
  /** Claims one after the other all that wait, and says exactly what was claimed; the first that fails stops it, and what was claimed stays so. */
  const claimAll = async (read: () => Promise<readonly WaitingWin[]>) => {
    if (claiming !== null) return;
    setFailure(null);
    setClaiming('all');
    const done: number[] = [];
    try {
      let before = -1;
      // More than are read at once come with the next reading; where nothing more was claimed there are none.
      while (done.length > before) {
        before = done.length;
        for (const { _id, winpoints } of await read()) {
          if (await isClaimedHere(claimOne(_id))) done.push(winpoints ?? 0);
          else onClaimed(_id);
        }
      }
      say(claimedText(done));
    } catch (error) {
      setFailure(
        done.length > 0 ? sayOf(error, `${claimedText(done)} Not the others: ${doubtText(error)}`) : doubtText(error),
      );
      onDoubt();
    }
    setClaiming(null);
  };
  return {
    claiming,
    failure,
    claim: (id: string, win: number) => void claim(id, win),
    claimAll: (read: () => Promise<readonly WaitingWin[]>) => void claimAll(read),
  };
}

/** Whether a win was claimed by this call; false where it had been claimed before, from another page. */
async function isClaimedHere(claimed: Promise<void>): Promise<boolean> {
  try {
    await claimed;
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ALREADY_CLAIMED') return false;
    throw error;
  }
}

/** Why a win was not claimed, or that it may have been. */
function doubtText(error: unknown): string {
  const isDoubtful = error instanceof ApiError && error.mayBeDone;
  return isDoubtful ? sayOf(error, `${error.message} Claim again: a win is paid once.`) : failureText(error);
}

/** What was claimed, in a sentence; nothing where another page was quicker. */
function claimedText(wins: readonly number[]): string {
  if (wins.length === 0) return 'All these wins had been claimed already, on another page.';
  const sum = pointsText(sumPoints(wins));
  return `${countText(wins.length)} ${wins.length === 1 ? 'win was' : 'wins were'} claimed: ${sum} points are in your wallet.`;
}
