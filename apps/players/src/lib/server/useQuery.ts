import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { getSession, onSession } from '../session/playerSession.ts';

export interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isReading: boolean;
}

interface Entry {
  state: QueryState<unknown>;
  /** Monotonic clock; -Infinity: never. */
  at: number;
  reading: AbortController | null;
  /** Invalidated while loading, so it loads again afterwards. */
  isBehind: boolean;
  readonly listeners: Set<() => void>;
  read: ((signal: AbortSignal) => Promise<unknown>) | null;
}

const FRESH_MS = 5000;
const NOTHING: QueryState<never> = { data: undefined, error: undefined, isReading: false };
const entries = new Map<string, Entry>();

onReachable(() => {
  if (isReachable()) readShown();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') readShown();
});
// Never show one user's data to the next.
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

/** Caches a read by name for the session. Reloads stale data on use, on becoming visible and after reconnects. */
export function useQuery<T>(name: string | null, read: (signal: AbortSignal) => Promise<T>) {
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
    if (name !== null) refetchIfStale(name);
  }, [name]);
  const reload = useCallback(() => {
    if (name !== null) refetch(name);
  }, [name]);
  return { ...(state as QueryState<T>), reload };
}

/** Retries failed reads whose errors are not shown. */
export function useRetry({ error, reload }: { readonly error: unknown; readonly reload: () => void }): void {
  useEffect(() => {
    if (error === undefined) return;
    const timer = setTimeout(reload, FRESH_MS);
    return () => clearTimeout(timer);
  }, [error, reload]);
}

/** Reloads now if in use, else on next use. */
export function refetch(name: string): void {
  const entry = entryOf(name);
  if (entry.listeners.size > 0) void readEntry(entry);
  else entry.at = -Infinity;
}

/** Like `refetch`, but repeats a running load, so the data is newer than this call. */
export function invalidate(name: string): void {
  const entry = entryOf(name);
  entry.isBehind = entry.reading !== null;
  refetch(name);
}

export function isLoading(name: string): boolean {
  return entryOf(name).reading !== null;
}

export function expire(name: string): void {
  entryOf(name).at = -Infinity;
}

export function refetchIfStale(name: string): void {
  if (performance.now() - entryOf(name).at > FRESH_MS) refetch(name);
}

export function updateCached<T>(name: string, change: (before: T) => T): void {
  const entry = entries.get(name);
  if (entry?.state.data === undefined) return;
  set(entry, { ...entry.state, data: change(entry.state.data as T) });
}

export function cachedData(name: string): unknown {
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

function set(entry: Entry, state: QueryState<unknown>): void {
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

export function usePolling(isBehind: boolean, ask: () => void, everyMs: number): void {
  useEffect(() => {
    if (!isBehind) return;
    ask();
    const timer = setInterval(ask, everyMs);
    return () => clearInterval(timer);
  }, [isBehind, ask, everyMs]);
}
