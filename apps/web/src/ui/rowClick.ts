import type { MouseEvent } from 'react';

/** What acts by itself within a row, and the cells that belong to it. */
const ACTS = 'a, button, input, label, select, textarea, [data-apart]';
const MIDDLE_BUTTON = 1;

/** How a click on a row is meant: it opens the row here or in another tab, or it is none of the row's. */
export function readRowClick(event: MouseEvent<HTMLElement>): 'here' | 'elsewhere' | null {
  const row = event.currentTarget;
  // What a menu of the row shows stands elsewhere on the page, yet its clicks come by here.
  if (!(event.target instanceof Element) || !row.contains(event.target)) return null;
  if (event.defaultPrevented || event.altKey || event.target.closest(ACTS)) return null;
  const selection = getSelection();
  if (selection?.type === 'Range' && selection.containsNode(row, true)) return null;
  if (event.button === MIDDLE_BUTTON) return 'elsewhere';
  if (event.button !== 0) return null;
  return event.ctrlKey || event.metaKey || event.shiftKey ? 'elsewhere' : 'here';
}
