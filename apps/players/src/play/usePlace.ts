import type { ShortDraw } from '@drawhouse/contract/draws/draws';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { useEffect, useRef, useState } from 'react';
import { PROTECTION } from '../lib/betting/useProtection.ts';
import { serverNow } from '../lib/server/serverTime.ts';
import { invalidate } from '../lib/server/useQuery.ts';
import { isDecided, isLimitRefusal } from './placing/pendingBet.ts';
import { fetchPlacing, forgetBet, noteClosed, useBetsOf } from './placing/lazyPlacing.ts';
import type { PlayState } from './playState.ts';
import type { SlipEditor } from './useSlip.ts';
import { playTexts } from './playTexts.ts';

const texts = playTexts.place;

/** Display time of a placed ticket after the close, unless its result is the latest. */
const SHOWN_MS = 60_000;

export function usePlace(state: PlayState, rules: GameRules, editor: SlipEditor) {
  const { gameId, unitPrice } = state;
  const bets = useBetsOf(gameId);
  const [note, setNote] = useState<string | null>(null);
  const lastResult = state.results[0]?.drawId;
  useEffect(() => {
    for (const { requestId, drawId, closesAt, outcome } of bets) {
      const isOver = drawId !== state.draw?._id && drawId !== lastResult && closesAt + SHOWN_MS < serverNow();
      if (outcome.kind === 'placed' && isOver) forgetBet(requestId);
    }
  }, [bets, state.draw?._id, lastResult]);
  // This page may not know the refusing limit yet.
  const limitRefusals = bets.filter(
    ({ outcome }) => outcome.kind === 'not placed' && isLimitRefusal(outcome.refusal),
  ).length;
  useEffect(() => {
    if (limitRefusals > 0) invalidate(PROTECTION);
  }, [limitRefusals]);
  const { draw: running, results } = state;
  useEffect(() => {
    // A saved result closes betting early.
    for (const bet of bets)
      if (!isDecided(bet) && isClosed(bet.drawId, { draw: running, results })) noteClosed(bet.drawId);
  }, [bets, running, results]);
  const isPlacing = useRef(false);
  const place = async (draw: ShortDraw): Promise<void> => {
    if (isPlacing.current) return;
    const { requestId, opensAt, slip } = editor;
    if (state.draw?._id !== draw._id || opensAt !== draw.opensAt) return setNote(texts.otherDraw);
    isPlacing.current = true;
    const part = await fetchPlacing().catch(() => null);
    isPlacing.current = false;
    if (!part) return setNote(texts.notLoaded);
    const isStored = part.placeTicket({ requestId, gameId, draw, lines: slip.lines, unitPrice });
    setNote(isStored ? null : part.texts.notStored);
    if (!isStored) return;
    // The player fixed or abandoned these.
    for (const bet of bets) if (bet.outcome.kind === 'not placed') forgetBet(bet.requestId);
    editor.begin();
  };
  const repeat = async (): Promise<void> => {
    const part = await fetchPlacing().catch(() => null);
    setNote(part ? await part.repeatTicket(gameId, rules, editor.load) : texts.notLoaded);
  };
  const forgetNote = (): void => setNote(null);
  return { bets, isBusy: bets.some((bet) => !isDecided(bet)), note, forgetNote, place, repeat };
}

function isClosed(drawId: string, { draw, results }: Pick<PlayState, 'draw' | 'results'>): boolean {
  if (results.some((result) => result.drawId === drawId)) return true;
  return draw?._id === drawId && draw.status !== 'open';
}

export type Placer = ReturnType<typeof usePlace>;
