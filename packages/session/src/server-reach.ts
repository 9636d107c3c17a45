import { REQUEST_ID_HEADER } from '@drawhouse/contract/frame/route';

/** While the server can't be reached, it is looked for this often. */
const LOOK_EVERY_MS = 2000;
/** A look without an answer for so long has failed. */
const LOOK_WAIT_MS = 5000;

/** What a look needs of its page's `window`. */
interface ReachWindow {
  readonly navigator: { readonly onLine: boolean };
  readonly fetch: (address: string, how: RequestInit) => Promise<Response>;
  addEventListener(type: 'offline' | 'online' | 'focus' | 'pageshow', listener: () => void): void;
}

const listeners = new Set<() => void>();
let page: ReachWindow | undefined;
let reachable = true;
let timer: ReturnType<typeof setTimeout> | undefined;
let hearLook: (headers: Headers) => void = () => undefined;
let looking: Promise<boolean> | undefined;

/**
 * Has the page of this window look for its server when the browser says that there is no network, and when there may be one again. `hear` is
 * given the headers of what each look is answered: the server may have been started anew, with another release.
 */
export function watchServer(window: ReachWindow, hear: (headers: Headers) => void): void {
  page = window;
  hearLook = hear;
  // The browser's word comes first, but the server alone knows: a machine without a network still reaches one of its own.
  window.addEventListener('offline', () => void lookForServer());
  for (const event of ['online', 'focus', 'pageshow'] as const)
    window.addEventListener(event, () => {
      if (!reachable) void lookForServer();
    });
}

/** Whether the server answered the last time that it was asked. */
export function isReachable(): boolean {
  return reachable;
}

/** Tells when the server can't be reached any more, and when it can again; answers how to stop. */
export function onReachable(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notes that a call got no answer. That may be the fault of the one call: the server itself is asked, unless the browser has no network. */
export function noteUnanswered(): void {
  if (page?.navigator.onLine === false) noteReached(false);
  else void lookForServer();
}

function noteReached(now: boolean): void {
  clearTimeout(timer);
  // Where the browser has no network, an answer may have been the last one that still came through.
  if (!now || page?.navigator.onLine === false) timer = setTimeout(() => void lookForServer(), LOOK_EVERY_MS);
  if (reachable === now) return;
  reachable = now;
  for (const listener of listeners) listener();
}

/**
 * Notes what a call was answered. Where that is not the server's the server itself is asked: a proxy may have no answer to one address and have it for all others, and nothing is to be
 * begun anew as if the server had been away.
 */
export function noteAnswer(answer: Pick<Response, 'status' | 'headers'>): void {
  if (isOfServer(answer)) noteReached(true);
  else void lookForServer();
}

/** Whether an answer is the server's: a proxy answers 502 to 504 in its place where it can't be reached. Refusals of its own have the id of the call. */
export function isOfServer({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return status < 502 || headers.has(REQUEST_ID_HEADER);
}

/** Asks whether the server is there, which is no use of the session. Answers whether it is. Calls meanwhile share the look. */
export function lookForServer(): Promise<boolean> {
  looking ??= look().finally(() => (looking = undefined));
  return looking;
}

async function look(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(LOOK_WAIT_MS);
    const ask = page?.fetch;
    const answer = await ask?.('/healthz', { cache: 'no-store', signal });
    if (answer) hearLook(answer.headers);
    noteReached(answer?.ok === true);
  } catch {
    noteReached(false);
  }
  return reachable;
}
