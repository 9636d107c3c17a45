import { REQUEST_ID_HEADER } from '@drawhouse/contract/core/route';
import { createPageStore } from './page-store.ts';

const POLL_EVERY_MS = 2000;
const PROBE_TIMEOUT_MS = 5000;

interface ReachWindow {
  readonly navigator: { readonly onLine: boolean };
  readonly fetch: (address: string, how: RequestInit) => Promise<Response>;
  addEventListener(type: 'offline' | 'online' | 'focus' | 'pageshow', listener: () => void): void;
}

/** In a group of cells, proxies route a live connection by its query; see the server's `other-cell.ts`. */
export function socketQuery(token: string | undefined): Record<string, string> {
  const [cell, secret] = token?.split('.') ?? [];
  return cell !== undefined && secret !== undefined ? { cell } : {};
}

let page: ReachWindow | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let onProbe: (headers: Headers) => void = () => undefined;
let looking: Promise<boolean> | undefined;

/** `onHeaders` gets each answer's headers, which may name a new release. */
export function watchServer(window: ReachWindow, onHeaders: (headers: Headers) => void): void {
  page = window;
  onProbe = onHeaders;
  // Offline browsers can still reach a local server.
  window.addEventListener('offline', () => void pingServer());
  for (const event of ['online', 'focus', 'pageshow'] as const)
    window.addEventListener(event, () => {
      if (!reachable) void pingServer();
    });
}

const reachable = createPageStore(true);
export const { get: isReachable, listen: onReachable, useValue: useReachable } = reachable;

/** Checks the server, since one call may fail alone. */
export function reportNoAnswer(): void {
  if (page?.navigator.onLine === false) noteReached(false);
  else void pingServer();
}

function noteReached(now: boolean): void {
  clearTimeout(timer);
  // If the browser is offline, this answer may be the last.
  if (!now || page?.navigator.onLine === false) timer = setTimeout(() => void pingServer(), POLL_EVERY_MS);
  reachable.set(now);
}

/** Checks the server after a proxy's error, which may concern only one address. */
export function noteAnswer(answer: Pick<Response, 'status' | 'headers'>): void {
  if (isServerAnswer(answer)) noteReached(true);
  else void pingServer();
}

/** Proxies answer 502 to 504 for an unreachable server. The server's own refusals carry a request id. */
export function isServerAnswer({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return status < 502 || headers.has(REQUEST_ID_HEADER);
}

/** Does not extend the session. Concurrent calls share one check. */
export function pingServer(): Promise<boolean> {
  looking ??= probe().finally(() => (looking = undefined));
  return looking;
}

async function probe(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const ask = page?.fetch;
    const answer = await ask?.('/healthz', { cache: 'no-store', signal });
    if (answer) onProbe(answer.headers);
    noteReached(answer?.ok === true);
  } catch {
    noteReached(false);
  }
  return isReachable();
}

const POLL_MS = 4_000;

export const networkRestoring = createPageStore(false);

/** Polls faster during a restore. */
export function followRestoring(ask: () => Promise<{ readonly restoring: boolean }>, idleMs: number): () => void {
  let polling: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const wait = (): void => {
    clearTimeout(polling);
    if (!isStopped) polling = setTimeout(poll, networkRestoring.get() ? POLL_MS : idleMs);
  };
  const poll = (): void =>
    void ask()
      .then((answer) => networkRestoring.set(answer.restoring))
      // The next poll retries.
      .catch(() => undefined)
      .then(wait);
  const leave = networkRestoring.listen(wait);
  wait();
  return () => {
    isStopped = true;
    clearTimeout(polling);
    leave();
  };
}
