import { house } from '@drawhouse/session/house';
import { useEffect } from 'react';
import { useAddress } from '../lib/navigation.ts';
import { newerBuild } from '@drawhouse/session/newer-build';
import { isTicketStarted, updateIfFree } from '../lib/betting/openBets.ts';

const ADDRESS = '/players/service-worker.js';
/** Build that this tab already reloaded for. A second reload would not help. */
const TRIED_KEY = 'players-release-tried';

let registration: ServiceWorkerRegistration | null = null;

/** Caches built files. A new worker waits for {@link takeOver}. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  // Registers after load, so the first visit pays nothing.
  const begin = async () => {
    storeLooks();
    registration = await navigator.serviceWorker.register(ADDRESS, { scope: '/', updateViaCache: 'none' });
  };
  if (document.readyState === 'complete') begin().catch(() => undefined);
  else window.addEventListener('load', () => void begin().catch(() => undefined), { once: true });
}

/** Stores the theme and colors for the worker's offline page. */
function storeLooks(): void {
  const { documentElement: page } = document;
  const look = getComputedStyle(page);
  const [accent, text] = ['--accent', '--accent-text'].map((name) => look.getPropertyValue(name).trim());
  const looks = { name: house.name, theme: page.dataset['theme'] ?? 'light', accent, text };
  localStorage.setItem('house', JSON.stringify(looks));
}

export function useNewVersion(): boolean {
  const build = newerBuild.useValue();
  const { pathname } = useAddress();
  useEffect(() => {
    if (build !== null && sessionStorage.getItem(TRIED_KEY) !== build) void takeOver();
    // Runs on navigation only.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pathname]);
  useEffect(() => {
    if (build === null) return;
    registration?.update().catch(() => undefined);
    const hidden = () => {
      if (document.visibilityState !== 'hidden' || isTicketStarted()) return;
      if (sessionStorage.getItem(TRIED_KEY) !== build) void takeOver();
    };
    document.addEventListener('visibilitychange', hidden);
    return () => document.removeEventListener('visibilitychange', hidden);
  }, [build]);
  return build !== null;
}

/** Resolves to false if any tab has a pending bet. */
export function takeOver(): Promise<boolean> {
  return updateIfFree(() => {
    sessionStorage.setItem(TRIED_KEY, newerBuild.get() ?? '');
    registration?.waiting?.postMessage('take over');
    location.reload();
  });
}
