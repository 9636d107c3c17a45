import type { Panel } from '@drawhouse/contract/live';
import { addClockSample } from './drawClock.ts';

/** What the panel knows: the last frame, the clock, and the lowest `seq` that is still news. */
export interface PanelState {
  panel: Panel | null;
  /** Differences to the server's clock in ms, newest last. */
  clock: readonly number[];
  /** Frames with a lower `seq` are older than what is shown. */
  nextSeq: number;
}

/** Before anything has come. */
export const NO_PANEL: PanelState = { panel: null, clock: [], nextSeq: 0 };

/** What happens to the panel. */
export type PanelEvent =
  | { type: 'frame'; panel: Panel; receivedAt: number }
  /** A new connection: the server may have started anew and count from the beginning. */
  | { type: 'joined' };

/** The panel after an event. An older frame changes nothing, whichever way it came. */
export function reducePanel(state: PanelState, event: PanelEvent): PanelState {
  if (event.type === 'joined') return { ...state, nextSeq: 0 };
  if (event.panel.seq < state.nextSeq) return state;
  return {
    panel: event.panel,
    clock: addClockSample(state.clock, event.panel.serverTime, event.receivedAt),
    nextSeq: event.panel.seq,
  };
}
