import { PLAYERS_BUILD_HEADER } from '@drawhouse/contract/frame/route';
import { useSyncExternalStore } from 'react';
import { noteBuild } from './newerBuild.ts';

/** While the server can't be reached, it is looked for this often. */
const LOOK_EVERY_MS = 2000;
/** A look without an answer for so long has failed. */
const LOOK_WAIT_MS = 5000;

const listeners = new Set<() => void>();
let reachable = true;
let timer: ReturnType<typeof setTimeout> | undefined;

// The browser's word comes first, but the server alone knows: a machine without a network still reaches one of its own.
window.addEventListener('offline', () => void lookForServer());
for (const event of ['online', 'focus', 'pageshow'])
  window.addEventListener(event, () => {
    if (!reachable) void lookForServer();
  });

/** Whether the server answered the last time that it was asked. */
export function isReachable(): boolean {
  return reachable;
}

/** Tells when the server can't be reached any more, and when it can again; answers how to stop. */
export function onReachable(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the server can be reached, as it now is. */
export function useReachable(): boolean {
  return useSyncExternalStore(onReachable, isReachable);
}

/** Notes whether a call was answered, whatever it was told. */
export function noteReached(now: boolean): void {
  clearTimeout(timer);
  if (!now) timer = setTimeout(() => void lookForServer(), LOOK_EVERY_MS);
  if (reachable === now) return;
  reachable = now;
  for (const listener of listeners) listener();
}

/** Asks whether the server is there, which is no use of the session. */
export async function lookForServer(): Promise<void> {
  try {
    const { ok, headers } = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(LOOK_WAIT_MS) });
    // The server may have been started anew, with another release.
    noteBuild(headers.get(PLAYERS_BUILD_HEADER));
    noteReached(ok);
  } catch {
    noteReached(false);
  }
}
