import type { Panel } from '@drawhouse/contract/live/live';
import { addClockSample } from '@drawhouse/session/server-clock';
import { applyPanelChange, sharingRows, type MergedChange } from './applyPanelChange.ts';
import { useState } from 'react';

export interface PanelState {
  panel: Panel | null;
  sent: Panel | null;
  missed: boolean;
  /** In milliseconds, newest last. */
  clock: readonly number[];
  /** Lower numbers are outdated. */
  nextSeq: number;
}

export const NO_PANEL: PanelState = { panel: null, sent: null, missed: false, clock: [], nextSeq: 0 };

export type PanelEvent =
  | { type: 'frame'; panel: Panel; receivedAt: number }
  | { type: 'change'; change: MergedChange; receivedAt: number }
  | { type: 'clock'; serverTime: string; receivedAt: number }
  /** Perhaps on another server, whose `seq` may restart. */
  | { type: 'joined' };

/** Fetched panels have `seq` 0. */
function isNumbered(panel: Panel): boolean {
  return panel.seq > 0;
}

function isBefore(panel: Panel, other: Panel): boolean {
  return Date.parse(panel.serverTime) < Date.parse(other.serverTime);
}

export function reducePanel(state: PanelState, event: PanelEvent): PanelState {
  switch (event.type) {
    case 'joined':
      return { ...state, sent: null, missed: false, nextSeq: 0 };
    case 'clock':
      return { ...state, clock: addClockSample(state.clock, event.serverTime, event.receivedAt) };
    case 'frame':
      return isNumbered(event.panel)
        ? afterFullPanel(state, event.panel, event)
        : afterFetch(state, event.panel, event);
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

function afterFullPanel(state: PanelState, panel: Panel, received: Received): PanelState {
  if (panel.seq < state.nextSeq) return state;
  return afterSent(state, sharingRows(state.panel, panel), received);
}

function afterChange(state: PanelState, change: MergedChange, received: Received): PanelState {
  if (!state.sent) return state;
  const panel = applyPanelChange(state.sent, change);
  if (panel === 'gap') return { ...state, sent: null, missed: true };
  return panel === state.sent ? state : afterSent(state, panel, received);
}

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

const OF_BETS: ReadonlySet<string> = new Set<keyof Panel>([
  'seq',
  'serverTime',
  'stakes',
  'data',
  'dataColors',
  'dataCardTypes',
  'totalsumdata',
]);

export function isSameButStakes(before: Panel, after: Panel): boolean {
  return (Object.keys(after) as (keyof Panel)[]).every((field) => OF_BETS.has(field) || before[field] === after[field]);
}

/**
 * Changes only if something besides bets changes, so components without stakes do not rerender. Its stakes, sums and
 * time are outdated.
 */
export function usePanelWithoutStakes(panel: Panel): Panel {
  const [still, setStill] = useState(panel);
  if (still === panel || isSameButStakes(still, panel)) return still;
  setStill(panel);
  return panel;
}
