import { useSyncExternalStore } from 'react';
import { keep, kept, subscribeKept } from './kept.ts';

const KEY = 'single-keys';
const OFF = 'off';

/** Speech input users can switch off single-character shortcuts (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  return kept(KEY) !== OFF;
}

export function setSingleKeys(on: boolean): void {
  keep(KEY, on ? null : OFF);
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribeKept, hasSingleKeys);
}

/** True for a single-character key while such shortcuts are off. Arrows and Escape always act. */
export function isSwitchedOff(event: { key: string }): boolean {
  return [...event.key].length === 1 && !hasSingleKeys();
}
