import type { DrawView } from '@drawhouse/contract/draws/draws';
import { addClockSample, clockOffset, secondsUntil, useTicked } from '@drawhouse/session/server-clock';
import { useState } from 'react';
import { liveTexts } from './liveTexts.ts';

export interface DrawState {
  draw: Pick<DrawView, 'status' | 'closesAt' | 'drawsAt'> | null;
  nextOpensAt: string | null;
  /** `waits`: a second person must confirm it. */
  saved: { waits: boolean } | null;
}

const STALE_AFTER_MS = 5_000;

export const LAST_SECONDS = 10;

export type Phase = 'none' | 'open' | 'closed' | 'waiting' | 'saved' | 'drawn' | 'settling' | 'settled' | 'void';

export const PHASE_LABEL: Record<Phase, string> = {
  none: liveTexts.noDraw,
  open: 'Open',
  closed: liveTexts.bettingClosed,
  waiting: 'Unconfirmed',
  saved: liveTexts.resultSaved,
  drawn: 'Drawn',
  settling: 'Drawn',
  settled: 'Settled',
  void: 'Void',
};

export const PHASE_TONE = {
  none: 'neutral',
  open: 'good',
  closed: 'warn',
  waiting: 'warn',
  saved: 'warn',
  drawn: 'neutral',
  settling: 'neutral',
  settled: 'neutral',
  void: 'bad',
} as const satisfies Record<Phase, string>;

/** Shows `mm:ss` from a minute on, `h:mm:ss` beyond an hour, else seconds. The draw's interval sets the format too. */
export function countdownText(seconds: number, ofInterval: number): string {
  if (Math.max(seconds, ofInterval) < 60) return String(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`;
}

export function intervalSeconds(draw: { opensAt: string; drawsAt: string }): number {
  return Math.round((Date.parse(draw.drawsAt) - Date.parse(draw.opensAt)) / 1000);
}

/** Takes the last frame's phase, but closes betting by the server's clock. */
export function phaseAt({ draw, saved }: Pick<DrawState, 'draw' | 'saved'>, serverNow: number): Phase {
  if (!draw) return 'none';
  if (draw.status === 'open' || draw.status === 'closed') {
    if (saved) return saved.waits ? 'waiting' : 'saved';
    return draw.status === 'open' && serverNow < Date.parse(draw.closesAt) ? 'open' : 'closed';
  }
  return draw.status;
}

export function canDeclare(phase: Phase): boolean {
  return phase === 'open' || phase === 'closed' || phase === 'waiting' || phase === 'saved';
}

export function isOver(phase: Phase): boolean {
  return phase === 'none' || phase === 'drawn' || phase === 'settling' || phase === 'settled' || phase === 'void';
}

export function clockWords(phase: Phase): { timer: string; at: string } {
  return isOver(phase)
    ? { timer: liveTexts.timeNextDraw, at: liveTexts.nextDrawOpensAt }
    : { timer: liveTexts.timeDraw, at: 'draws at' };
}

export function clockTarget(
  { draw, nextOpensAt }: Pick<DrawState, 'draw' | 'nextOpensAt'>,
  phase: Phase,
): string | null {
  return isOver(phase) ? nextOpensAt : (draw?.drawsAt ?? null);
}

export function isEnding(panel: DrawState, serverNow: number): boolean {
  const target = clockTarget(panel, phaseAt(panel, serverNow));
  return target !== null && secondsUntil(target, serverNow) === 0;
}

/** True if no frame came within 5 s after the countdown. A game without draws is never stale. */
export function isStale(panel: DrawState, serverNow: number): boolean {
  const target = clockTarget(panel, phaseAt(panel, serverNow));
  return target !== null && serverNow - Date.parse(target) > STALE_AFTER_MS;
}

/** Renders only when the result of `read` changes, so return a coarse value. */
export function useServerClock<T extends string | number | boolean>(offset: number, read: (serverNow: number) => T): T {
  return useTicked(() => read(Date.now() + offset));
}

/** Milliseconds that the server's clock is ahead, from polled answers. */
export function useClockOffset(answer: { serverTime: string; receivedAt: number } | undefined): number {
  const [clock, setClock] = useState<{ of: string; samples: readonly number[] }>({ of: '', samples: [] });
  if (answer && clock.of !== answer.serverTime)
    setClock({ of: answer.serverTime, samples: addClockSample(clock.samples, answer.serverTime, answer.receivedAt) });
  return clockOffset(clock.samples);
}
