import { BUILD_HEADER } from '@drawhouse/contract/frame/route';
import { noteBuild } from './release.ts';

/** While there is no connection, it is looked for this often. */
const PROBE_EVERY_MS = 2000;
/** A probe without an answer for so long has failed. */
const PROBE_WAIT_MS = 5000;

const listeners = new Set<() => void>();
let lost = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let probing: Promise<boolean> | undefined;

// The browser's word comes first, but the server alone knows: a machine without a network still reaches one of its own.
window.addEventListener('offline', () => void probe());
for (const event of ['online', 'focus', 'pageshow'])
  window.addEventListener(event, () => {
    if (lost) void probe();
  });

/** Whether the last call got no answer, and none has come since. */
export function isConnectionLost(): boolean {
  return lost;
}

/** Tells when the connection is lost, and when it is back; answers how to stop. */
export function subscribeConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** An answer came, whatever it was. */
export function noteAnswer(): void {
  change(false);
}

/** A call got no answer: from now on the connection is looked for until it is back. */
export function noteNoAnswer(): void {
  change(true);
}

/** Asks whether the server is there, which is no use of the session. Answers whether it is. */
export function probe(): Promise<boolean> {
  probing ??= ask().finally(() => (probing = undefined));
  return probing;
}

async function ask(): Promise<boolean> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_WAIT_MS) });
    noteBuild(response.headers.get(BUILD_HEADER));
    change(!response.ok);
  } catch {
    change(true);
  }
  return !lost;
}

function change(now: boolean): void {
  clearTimeout(timer);
  if (now) timer = setTimeout(() => void probe(), PROBE_EVERY_MS);
  if (lost === now) return;
  lost = now;
  for (const listener of listeners) listener();
}
