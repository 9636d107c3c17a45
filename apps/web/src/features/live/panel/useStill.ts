import type { Panel } from '@drawhouse/contract/live/live';
import { useState } from 'react';

/** What changes with every bet, and with every message of the server. */
const OF_BETS: ReadonlySet<string> = new Set<keyof Panel>([
  'seq',
  'serverTime',
  'stakes',
  'data',
  'dataColors',
  'dataCardTypes',
  'totalsumdata',
]);

/** Whether two panels differ in nothing but what bets change. */
export function isStill(before: Panel, after: Panel): boolean {
  return (Object.keys(after) as (keyof Panel)[]).every((field) => OF_BETS.has(field) || before[field] === after[field]);
}

/**
 * The panel as it was when something else than bets last changed it: the same object until then, so that what shows no stakes is not drawn
 * anew with each bet. Its stakes, sums and time are those of that moment; names and pictures of outcomes are right.
 */
export function useStill(panel: Panel): Panel {
  const [still, setStill] = useState(panel);
  if (still === panel || isStill(still, panel)) return still;
  setStill(panel);
  return panel;
}
