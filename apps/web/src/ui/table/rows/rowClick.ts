import type { MouseEvent } from 'react';

/** Elements that handle their own clicks. */
const INTERACTIVE_SELECTOR = 'a, button, input, label, select, textarea, [data-apart]';
const MIDDLE_BUTTON = 1;

export function readRowClick(event: MouseEvent<HTMLElement>): 'here' | 'elsewhere' | null {
  const row = event.currentTarget;
  // React bubbles clicks from the row's menu, which is a portal.
  if (!(event.target instanceof Element) || !row.contains(event.target)) return null;
  if (event.defaultPrevented || event.altKey || event.target.closest(INTERACTIVE_SELECTOR)) return null;
  const selection = getSelection();
  if (selection?.type === 'Range' && selection.containsNode(row, true)) return null;
  if (event.button === MIDDLE_BUTTON) return 'elsewhere';
  if (event.button !== 0) return null;
  return event.ctrlKey || event.metaKey || event.shiftKey ? 'elsewhere' : 'here';
}
