import { sumPoints } from '@drawhouse/contract/core/hundredths';
import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';
import { useState } from 'react';
import { ApiError, failureMessage } from '@drawhouse/session/api-client';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { showToast } from '../../lib/toast.ts';
import { noteWallet } from '../../lib/betting/wallet.ts';
import { betTexts } from './betTexts.ts';

const texts = betTexts.wins;

type UnclaimedWin = Pick<PlayerTicket, '_id' | 'winpoints'>;

/** Safe to repeat: the server moves each win once. */
export function useClaim(onClaimed: (id: string) => void, onUncertain: () => void) {
  const [claiming, setClaiming] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const claimOne = async (id: string): Promise<void> => {
    setClaiming(id);
    const { walletBalance } = await call(accountRoutes.claim, { body: { ticketId: id } });
    noteWallet({ walletBalance });
    onClaimed(id);
  };
  const claim = async (id: string, win: number) => {
    if (claiming !== null) return;
    setFailure(null);
    try {
      await claimOne(id);
      showToast(texts.claimed(win));
    } catch (error) {
      setFailure(claimFailure(error));
      // Claimed on another page, or the answer was lost.
      onUncertain();
    }
    setClaiming(null);
  };
  /** Claims each win separately, to count the total exactly. Stops at the first failure. */
  const claimAll = async (read: () => Promise<readonly UnclaimedWin[]>) => {
    if (claiming !== null) return;
    setFailure(null);
    setClaiming('all');
    const done: number[] = [];
    try {
      let before = -1;
      while (done.length > before) {
        before = done.length;
        for (const { _id, winpoints } of await read()) {
          if (await isClaimedHere(claimOne(_id))) done.push(winpoints ?? 0);
          else onClaimed(_id);
        }
      }
      showToast(claimedText(done));
    } catch (error) {
      setFailure(
        done.length > 0
          ? failureMessage(error, texts.othersFailed(claimedText(done), claimFailure(error)))
          : claimFailure(error),
      );
      onUncertain();
    }
    setClaiming(null);
  };
  return {
    claiming,
    failure,
    claim: (id: string, win: number) => void claim(id, win),
    claimAll: (read: () => Promise<readonly UnclaimedWin[]>) => void claimAll(read),
  };
}

/** False if already claimed from another page. */
async function isClaimedHere(claimed: Promise<void>): Promise<boolean> {
  try {
    await claimed;
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ALREADY_CLAIMED') return false;
    throw error;
  }
}

function claimFailure(error: unknown): string {
  const isUncertain = error instanceof ApiError && error.mayBeDone;
  return isUncertain ? failureMessage(error, texts.claimAgain(error.message)) : failureText(error);
}

function claimedText(wins: readonly number[]): string {
  return wins.length === 0 ? texts.claimedElsewhere : texts.claimedAll(wins.length, sumPoints(wins));
}
