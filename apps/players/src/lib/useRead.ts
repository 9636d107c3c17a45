import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { getSession, onSession } from './playerSession.ts';

/** What was read, why it could not be read the last time, and whether it is being read. */
export interface ReadState<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isReading: boolean;
}

interface Entry {
  state: ReadState<unknown>;
  /** When the data came, by the steady clock; -Infinity where none has. */
  at: number;
  reading: AbortController | null;
  /** Whether it has changed since what is being read was asked for. */
  isBehind: boolean;
  readonly listeners: Set<() => void>;
  read: ((signal: AbortSignal) => Promise<unknown>) | null;
}

/** What is younger than this is not read again because another page shows it too. */
const FRESH_MS = 5000;
const NOTHING: ReadState<never> = { data: undefined, error: undefined, isReading: false };
const entries = new Map<string, Entry>();

onReachable(() => {
  if (isReachable()) readShown();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') readShown();
});
// The next person begins with nothing of the last one's.
let owner = getSession()?.token;
onSession(() => {
  const now = getSession()?.token;
  if (now === owner) return;
  owner = now;
  for (const entry of entries.values()) {
    entry.reading?.abort();
    entry.reading = null;
    entry.isBehind = false;
    entry.at = -Infinity;
    set(entry, NOTHING);
  }
});

/**
 * What `read` answers, kept by a name under which every page of the same session finds it: shown at once where it is known, and read anew where
 * it is older than some seconds, when the page is looked at again and when the connection is back. A name of null reads nothing. `read` may
 * be made anew for each render; the name says what it reads.
 */
export function useRead<T>(name: string | null, read: (signal: AbortSignal) => Promise<T>) {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (name === null) return () => undefined;
      const { listeners } = entryOf(name);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    [name],
  );
  const state = useSyncExternalStore(subscribe, () => (name === null ? NOTHING : entryOf(name).state));
  useEffect(() => {
    if (name !== null) entryOf(name).read = read;
  });
  useEffect(() => {
    if (name !== null) readIfOld(name);
  }, [name]);
  const again = useCallback(() => {
    if (name !== null) readAgain(name);
  }, [name]);
  return { ...(state as ReadState<T>), again };
}

/** Asks again by itself, after some seconds, for what could not be read, where nobody is shown that and could ask. */
export function useAskedAgain({ error, again }: { readonly error: unknown; readonly again: () => void }): void {
  useEffect(() => {
    if (error === undefined) return;
    const timer = setTimeout(again, FRESH_MS);
    return () => clearTimeout(timer);
  }, [error, again]);
}

/** Reads what has this name anew, where a page shows it. */
export function readAgain(name: string): void {
  const entry = entryOf(name);
  if (entry.listeners.size > 0) void readEntry(entry);
  else entry.at = -Infinity;
}

/** Reads what has this name anew, as it is from now on: where it is being read, once more when that has come. */
export function readAfter(name: string): void {
  const entry = entryOf(name);
  entry.isBehind = entry.reading !== null;
  readAgain(name);
}

/** Reads what has this name anew, where it was not read in the last seconds. */
export function readIfOld(name: string): void {
  if (performance.now() - entryOf(name).at > FRESH_MS) readAgain(name);
}

/** Changes what is known under this name, where anything is: as something live, or what a command answered, tells it. */
export function changeRead<T>(name: string, change: (before: T) => T): void {
  const entry = entries.get(name);
  if (entry?.state.data === undefined) return;
  set(entry, { ...entry.state, data: change(entry.state.data as T) });
}

/** What is known under this name by now. */
export function knownRead(name: string): unknown {
  return entries.get(name)?.state.data;
}

function readShown(): void {
  for (const entry of entries.values()) if (entry.listeners.size > 0) void readEntry(entry);
}

async function readEntry(entry: Entry): Promise<void> {
  if (!entry.read || entry.reading) return;
  const reading = new AbortController();
  entry.reading = reading;
  set(entry, { ...entry.state, isReading: true });
  const outcome = await entry.read(reading.signal).then(
    (data) => ({ data, error: undefined }),
    (error: unknown) => ({ data: entry.state.data, error }),
  );
  if (entry.reading !== reading) return;
  entry.reading = null;
  if (outcome.error === undefined) entry.at = performance.now();
  set(entry, { ...outcome, isReading: false });
  if (!entry.isBehind) return;
  entry.isBehind = false;
  if (entry.listeners.size > 0) void readEntry(entry);
  else entry.at = -Infinity;
}

function set(entry: Entry, state: ReadState<unknown>): void {
  entry.state = state;
  for (const listener of entry.listeners) listener();
}

function entryOf(name: string): Entry {
  let entry = entries.get(name);
  if (!entry) {
    entry = { state: NOTHING, at: -Infinity, reading: null, isBehind: false, listeners: new Set(), read: null };
    entries.set(name, entry);
  }
  return entry;
}
