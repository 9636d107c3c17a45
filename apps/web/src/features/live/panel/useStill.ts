import type { Panel } from '@drawhouse/contract/live/live';
import { useState } from 'react';

/** Fields that change with bets or with every message. */
const OF_BETS: ReadonlySet<string> = new Set<keyof Panel>([
  'seq',
  'serverTime',
  'stakes',
  'data',
  'dataColors',
  'dataCardTypes',
  'totalsumdata',
]);

export function isStill(before: Panel, after: Panel): boolean {
  return (Object.keys(after) as (keyof Panel)[]).every((field) => OF_BETS.has(field) || before[field] === after[field]);
}

/**
 * Keeps one panel object until something besides bets changes, so that components without stakes do not rerender. Its
 * stakes, sums and time are outdated.
 */
export function useStill(panel: Panel): Panel {
  const [still, setStill] = useState(panel);
  if (still === panel || isStill(still, panel)) return still;
  setStill(panel);
  return panel;
}
