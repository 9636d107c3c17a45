import { useSyncExternalStore } from 'react';
import { writeStored, readStored, subscribeStored } from './deviceStorage.ts';

const KEY = 'single-keys';
const OFF = 'off';

/** Speech input users can switch off single-character shortcuts (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  return readStored(KEY) !== OFF;
}

export function setSingleKeys(on: boolean): void {
  writeStored(KEY, on ? null : OFF);
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribeStored, hasSingleKeys);
}

/** True for a single-character key while such shortcuts are off. Arrows and Escape always act. */
export function isSwitchedOff(event: { key: string }): boolean {
  return [...event.key].length === 1 && !hasSingleKeys();
}
