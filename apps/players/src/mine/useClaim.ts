import { useState } from 'react';
import { pointsText } from '../lib/amounts.ts';
import { call, CallFailure, failureText } from '../lib/playerCall.ts';
import { routes } from '../lib/playerRoutes.ts';
import { say } from '../lib/sayings.ts';
import { noteWallet } from '../lib/wallet.ts';

/** Claims wins, each once: however often one is asked for, the server moves it a single time. */
export function useClaim(onClaimed: (id: string) => void, onDoubt: () => void) {
  const [claiming, setClaiming] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const claim = async (id: string, win: number) => {
    if (claiming !== null) return;
    setClaiming(id);
    setFailure(null);
    try {
      const { walletBalance } = await call(routes.claim, { body: { ticketId: id } });
      noteWallet({ walletBalance });
      onClaimed(id);
      say(`${pointsText(win)} points are in your wallet.`);
    } catch (error) {
      const isDoubtful = error instanceof CallFailure && error.mayBeDone;
      setFailure(isDoubtful ? `${error.message} Claim again: a win is paid once.` : failureText(error));
      // Another device may have claimed it, or it was done and the answer was lost.
      onDoubt();
    }
    setClaiming(null);
  };
  return { claiming, failure, claim: (id: string, win: number) => void claim(id, win) };
}
