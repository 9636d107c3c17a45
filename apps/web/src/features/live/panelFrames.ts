import type { Panel } from '@drawhouse/contract/live';
import { addClockSample } from './drawClock.ts';

/** What the panel knows: the last frame, the clock, and the lowest `seq` that is still news. */
export interface PanelState {
  panel: Panel | null;
  /** Differences to the server's clock in ms, newest last. */
  clock: readonly number[];
  /** Frames of the socket with a lower `seq` are older than what it sent before. */
  nextSeq: number;
}

/** Before anything has come. */
export const NO_PANEL: PanelState = { panel: null, clock: [], nextSeq: 0 };

/** What happens to the panel. */
export type PanelEvent =
  | { type: 'frame'; panel: Panel; receivedAt: number }
  /** A new connection: the server may have started anew and count from the beginning. */
  | { type: 'joined' };

/** A panel that was fetched has no place among the frames of the socket: its `seq` is 0. */
function isNumbered(panel: Panel): boolean {
  return panel.seq > 0;
}

/** Whether a panel is older than what is shown: by `seq` among the frames of the socket, by the server's time beside them. */
function isOlder(panel: Panel, state: PanelState): boolean {
  if (isNumbered(panel) && panel.seq < state.nextSeq) return true;
  if (state.panel === null || (isNumbered(panel) && isNumbered(state.panel))) return false;
  return Date.parse(panel.serverTime) < Date.parse(state.panel.serverTime);
}

/** The panel after an event. An older frame changes nothing, whichever way it came. */
export function reducePanel(state: PanelState, event: PanelEvent): PanelState {
  if (event.type === 'joined') return { ...state, nextSeq: 0 };
  const { panel, receivedAt } = event;
  if (isOlder(panel, state)) return state;
  return {
    panel,
    clock: addClockSample(state.clock, panel.serverTime, receivedAt),
    nextSeq: isNumbered(panel) ? panel.seq : state.nextSeq,
  };
}
