import type { PanelChange } from '@drawhouse/contract/live/live';
import { whenIdle } from '../../../../lib/lazyParts.ts';
import type { MergedChange } from './applyPanelChange.ts';

/** A device spends at most a third of its time on bets. */
const REST = 2;
const LONGEST_REST_MS = 500;

export interface Pace {
  readonly take: (change: PanelChange) => void;
  readonly clear: () => void;
}

/**
 * Applies bets while the main thread is idle, so that a touch is answered first, and merges those that arrive meanwhile.
 * A change of the draw applies at once.
 */
export function paceChanges(apply: (change: MergedChange, receivedAt: number) => void): Pace {
  let waiting: MergedChange | null = null;
  let receivedAt = 0;
  let isResting = false;

  function applyWaiting(): void {
    if (!waiting) return;
    const change = waiting;
    waiting = null;
    const startedAt = performance.now();
    apply(change, receivedAt);
    if (isResting) return;
    isResting = true;
    // Idle again: rendered.
    whenIdle(() => setTimeout(wake, Math.min(LONGEST_REST_MS, REST * (performance.now() - startedAt))));
  }

  function wake(): void {
    isResting = false;
    whenIdle(applyWaiting);
  }

  return {
    take(change) {
      const merged = waiting && mergeChanges(waiting, change);
      if (waiting && !merged) applyWaiting();
      waiting = merged ?? change;
      receivedAt = Date.now();
      if (isOfDraw(change)) applyWaiting();
      else if (!isResting) whenIdle(applyWaiting);
    },
    clear() {
      waiting = null;
    },
  };
}

function isOfDraw({ draw, saved, lastData }: PanelChange): boolean {
  return draw !== undefined || saved !== undefined || lastData !== undefined;
}

/** Null unless the second follows in the same draw. Stakes and sums are totals, so the later ones stand. */
function mergeChanges(before: MergedChange, next: PanelChange): MergedChange | null {
  const follows = next.seq === before.seq + 1 && next.drawId === before.drawId;
  const isSamePanel = next.gameId === before.gameId && next.adminId === before.adminId;
  if (!follows || !isSamePanel) return null;
  const { from = before.seq } = before;
  return { ...before, ...next, from, stakes: { ...before.stakes, ...next.stakes } };
}
