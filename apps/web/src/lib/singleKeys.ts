import { useSyncExternalStore } from 'react';
import { keep, kept, subscribeKept } from './kept.ts';

const KEY = 'single-keys';
const OFF = 'off';

/** Whether keys that are letters, digits or signs act by themselves; who speaks to the machine may not want that (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  return kept(KEY) !== OFF;
}

/** Switches the single keys on or off, on this device. */
export function setSingleKeys(on: boolean): void {
  keep(KEY, on ? null : OFF);
}

/** {@link hasSingleKeys}, following every change. */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribeKept, hasSingleKeys);
}

/** Whether a key is a character pressed by itself and single keys are switched off. Keys such as arrows and Escape always act. */
export function isSwitchedOff(event: { key: string }): boolean {
  return [...event.key].length === 1 && !hasSingleKeys();
}
