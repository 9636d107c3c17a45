import type { ShortDraw } from '@drawhouse/contract/draws/draws';
import type { GameRules } from '@drawhouse/rules/rules';
import { useEffect, useRef, useState } from 'react';
import { PROTECTION } from '../lib/protectionRead.ts';
import { serverNow } from '../lib/serverTime.ts';
import { readAfter } from '../lib/useRead.ts';
import { isDecided, isOfProtection } from './placing/keptBet.ts';
import { fetchPlacing, forgetBet, noteClosed, useBetsOf } from './placing/latePlacing.ts';
import type { PlayState } from './playNews.ts';
import type { SlipInHand } from './useSlip.ts';

const texts = {
  otherDraw:
    'Betting on the draw that you were asked about has closed, so nothing was placed. Your ticket is as it was.',
  notKept:
    'This browser keeps nothing for this page, so it could not be told later what became of a ticket. Nothing was placed.',
  notFetched: 'The part of this page that places bets could not be fetched. Nothing was placed; try it again.',
} as const;

/** A ticket that was placed is shown until so long after betting on its draw closed, where its result is not the last one. */
const SHOWN_MS = 60_000;

/** Places the ticket that is being made, and knows what became of those before; `note` is what else there is to say. */
export function usePlace(state: PlayState, rules: GameRules, hand: SlipInHand) {
  const { gameId, unitPrice } = state;
  const bets = useBetsOf(gameId);
  const [note, setNote] = useState<string | null>(null);
  const lastResult = state.results[0]?.drawId;
  useEffect(() => {
    for (const { requestId, drawId, closesAt, fate } of bets) {
      const isOver = drawId !== state.draw?._id && drawId !== lastResult && closesAt + SHOWN_MS < serverNow();
      if (fate.is === 'placed' && isOver) forgetBet(requestId);
    }
  }, [bets, state.draw?._id, lastResult]);
  // The page has not heard of what refused it.
  const held = bets.filter(({ fate }) => fate.is === 'not placed' && isOfProtection(fate.why)).length;
  useEffect(() => {
    if (held > 0) readAfter(PROTECTION);
  }, [held]);
  const { draw: running, results } = state;
  useEffect(() => {
    // Betting closes with a saved result, before the time that the draw was opened with.
    for (const bet of bets)
      if (!isDecided(bet) && isClosed(bet.drawId, { draw: running, results })) noteClosed(bet.drawId);
  }, [bets, running, results]);
  const isPlacing = useRef(false);
  const place = async (draw: ShortDraw): Promise<void> => {
    if (isPlacing.current) return;
    if (state.draw?._id !== draw._id) return setNote(texts.otherDraw);
    isPlacing.current = true;
    const part = await fetchPlacing().catch(() => null);
    isPlacing.current = false;
    if (!part) return setNote(texts.notFetched);
    const requestId = part.placeTicket({ gameId, draw, lines: hand.slip.lines, unitPrice });
    setNote(requestId === null ? texts.notKept : null);
    if (requestId === null) return;
    // What was refused before has been mended, or given up.
    for (const bet of bets) if (bet.fate.is === 'not placed') forgetBet(bet.requestId);
    hand.begin();
  };
  /** Loads the last ticket that was laid on this game. Nothing is placed by that. */
  const repeat = async (): Promise<void> => {
    const part = await import('./slip/repeatTicket.ts').catch(() => null);
    setNote(part ? await part.repeatTicket(gameId, rules, hand.load) : texts.notFetched);
  };
  return { bets, isBusy: bets.some((bet) => !isDecided(bet)), note, place, repeat };
}

/** Whether the server has said that betting on a draw is closed, or that it is over. */
function isClosed(drawId: string, { draw, results }: Pick<PlayState, 'draw' | 'results'>): boolean {
  if (results.some((result) => result.drawId === drawId)) return true;
  return draw?._id === drawId && draw.status !== 'open';
}

/** What places tickets of a game, and knows what became of them. */
export type Placer = ReturnType<typeof usePlace>;
