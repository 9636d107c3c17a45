import { createSealWatch } from './seal-watch.ts';
import type { SealWatch } from './seal-watch.ts';

const LOOK_EVERY_MS = 5 * 60_000;
const PATIENCE_MS = 20_000;

/** What watching needs of its `window`. */
interface WatchWindow {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  readonly localStorage: Storage;
  readonly document: { readonly visibilityState: string };
  addEventListener(type: 'storage', listener: (news: { readonly key: string | null }) => void): void;
  setInterval(then: () => void, ms: number): number;
}

/** Watches as long as a page is open: now, and every few minutes while somebody looks at it. `nowMs` is the time in milliseconds since 1970. */
export function watchInPage(page: WatchWindow, nowMs: () => number): SealWatch {
  const ask = page.fetch.bind(page);
  const watch = createSealWatch({
    storage: page.localStorage,
    nowMs,
    async get(path) {
      const answer = await ask(path, {
        cache: 'no-store',
        credentials: 'omit',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return { status: answer.status, text: await answer.text() };
    },
  });
  const look = (): void => {
    if (page.document.visibilityState === 'visible') watch.look().catch(() => undefined);
  };
  page.addEventListener('storage', () => watch.reread());
  page.setInterval(look, LOOK_EVERY_MS);
  look();
  return watch;
}
