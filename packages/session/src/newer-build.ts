import { createPageStore } from './page-store.ts';

export const newerBuild = createPageStore<string | null>(null);

interface Page {
  querySelector(selector: string): { getAttribute(name: string): string | null } | null;
}

/** Pages without a build, as in development, never become outdated. */
export function noteBuild(page: Page, build: string | null): void {
  const own = page.querySelector('meta[name="build"]')?.getAttribute('content') ?? null;
  if (build === null || own === null) return;
  newerBuild.set(build === own ? null : build);
}

const AGAIN_AFTER_MS = 60_000;
const KEY = 'page-reloaded';

/** Records each reload for missing code, to prevent a loop. */
export function claimAutoReload(store: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  const last = Number(store.getItem(KEY) ?? 0);
  if (now - last < AGAIN_AFTER_MS) return false;
  store.setItem(KEY, String(now));
  return true;
}
