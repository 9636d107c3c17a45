import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasSingleKeys, isSwitchedOff, setSingleKeys } from './devicePreferences.ts';

describe('single keys', () => {
  const store = new Map<string, string>();
  beforeEach(() => {
    store.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, text: string) => store.set(key, text),
      removeItem: (key: string) => store.delete(key),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('work until switched off, and again once switched on', () => {
    expect(hasSingleKeys()).toBe(true);
    setSingleKeys(false);
    expect(hasSingleKeys()).toBe(false);
    setSingleKeys(true);
    expect(hasSingleKeys()).toBe(true);
    expect(store.size).toBe(0);
  });

  it.each(['?', '/', 'j', 'K', '7'])('switch off %s', (key) => {
    expect(isSwitchedOff({ key })).toBe(false);
    setSingleKeys(false);
    expect(isSwitchedOff({ key })).toBe(true);
  });

  it.each(['ArrowDown', 'Escape', 'Enter', 'Tab'])('leave %s alone', (key) => {
    setSingleKeys(false);
    expect(isSwitchedOff({ key })).toBe(false);
  });
});
