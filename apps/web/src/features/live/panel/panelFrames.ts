import type { Panel, PanelChange } from '@drawhouse/contract/live/live';
import { addClockSample } from '../drawClock.ts';
import { applyChange, sharingRows } from './livePanel.ts';

/** What the panel knows: what is shown, what the room has sent, the clock. */
export interface PanelState {
  /** What is shown: what the room has sent, or what was fetched since. */
  panel: Panel | null;
  /** The last of the room, which changes follow on; null until it has sent the whole panel. */
  sent: Panel | null;
  /** A change was missed: the room is to be joined again. */
  missed: boolean;
  /** Differences to the server's clock in ms, newest last. */
  clock: readonly number[];
  /** What the room sends with a lower `seq` is older than what it sent before. */
  nextSeq: number;
}

/** Before anything has come. */
export const NO_PANEL: PanelState = { panel: null, sent: null, missed: false, clock: [], nextSeq: 0 };

/** What happens to the panel. */
export type PanelEvent =
  | { type: 'frame'; panel: Panel; receivedAt: number }
  | { type: 'change'; change: PanelChange; receivedAt: number }
  /** The server has said what time it is. */
  | { type: 'clock'; serverTime: string; receivedAt: number }
  /** The room is joined anew, maybe another server's: it may count from the beginning. */
  | { type: 'joined' };

/** A panel that was fetched has no place among what the room sends: its `seq` is 0. */
function isNumbered(panel: Panel): boolean {
  return panel.seq > 0;
}

/** Whether a panel says what was before another one. */
function isBefore(panel: Panel, other: Panel): boolean {
  return Date.parse(panel.serverTime) < Date.parse(other.serverTime);
}

/** The panel after an event. What is older changes nothing, whichever way it came. */
export function reducePanel(state: PanelState, event: PanelEvent): PanelState {
  switch (event.type) {
    case 'joined':
      return { ...state, sent: null, missed: false, nextSeq: 0 };
    case 'clock':
      return { ...state, clock: addClockSample(state.clock, event.serverTime, event.receivedAt) };
    case 'frame':
      return isNumbered(event.panel) ? afterWhole(state, event.panel, event) : afterFetch(state, event.panel, event);
    case 'change':
      return afterChange(state, event.change, event);
  }
}

type Received = { receivedAt: number };

function afterFetch(state: PanelState, panel: Panel, { receivedAt }: Received): PanelState {
  if (state.panel && isBefore(panel, state.panel)) return state;
  return {
    ...state,
    panel: sharingRows(state.panel, panel),
    clock: addClockSample(state.clock, panel.serverTime, receivedAt),
  };
}

function afterWhole(state: PanelState, panel: Panel, received: Received): PanelState {
  if (panel.seq < state.nextSeq) return state;
  return afterSent(state, sharingRows(state.panel, panel), received);
}

function afterChange(state: PanelState, change: PanelChange, received: Received): PanelState {
  if (!state.sent) return state;
  const panel = applyChange(state.sent, change);
  if (panel === 'gap') return { ...state, sent: null, missed: true };
  return panel === state.sent ? state : afterSent(state, panel, received);
}

/** What the room has sent is shown, unless something was fetched that the server made later. */
function afterSent(state: PanelState, sent: Panel, { receivedAt }: Received): PanelState {
  const { panel } = state;
  const wasFetchedLater = panel !== null && !isNumbered(panel) && isBefore(sent, panel);
  return {
    panel: wasFetchedLater ? panel : sent,
    sent,
    missed: false,
    clock: addClockSample(state.clock, sent.serverTime, receivedAt),
    nextSeq: sent.seq,
  };
}
