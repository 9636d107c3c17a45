import { useEffect, useSyncExternalStore } from 'react';
import { useAddress } from '../lib/navigation.ts';
import { getNewerBuild, onNewerBuild } from '@drawhouse/session/newer-build';
import { isTicketLaid, updateIfFree } from '../lib/updateHold.ts';

const ADDRESS = '/players/service-worker.js';
/** Names the build that this tab was loaded anew for: where that did not bring it, a second time would not either. */
const TRIED_KEY = 'players-release-tried';

let registration: ServiceWorkerRegistration | null = null;

/** Keeps the built files on the device, where the browser can. Each newer script for that waits until {@link takeOver}. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  // After what the page needs: it costs the first visit nothing.
  const begin = async () => {
    registration = await navigator.serviceWorker.register(ADDRESS, { scope: '/', updateViaCache: 'none' });
  };
  if (document.readyState === 'complete') begin().catch(() => undefined);
  else window.addEventListener('load', () => void begin().catch(() => undefined), { once: true });
}

/** Whether there is a newer version than this page is of. It comes with the next page, or when nobody looks, where no bet waits for its answer. */
export function useNewVersion(): boolean {
  const build = useSyncExternalStore(onNewerBuild, getNewerBuild);
  const { path } = useAddress();
  useEffect(() => {
    if (build !== null && sessionStorage.getItem(TRIED_KEY) !== build) void takeOver();
    // With another page, not the moment in which it is heard of.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [path]);
  useEffect(() => {
    if (build === null) return;
    registration?.update().catch(() => undefined);
    const hidden = () => {
      if (document.visibilityState !== 'hidden' || isTicketLaid()) return;
      if (sessionStorage.getItem(TRIED_KEY) !== build) void takeOver();
    };
    document.addEventListener('visibilitychange', hidden);
    return () => document.removeEventListener('visibilitychange', hidden);
  }, [build]);
  return build !== null;
}

/** Loads the newer version now. Answers whether it did: not while a bet of any tab has no answer. */
export function takeOver(): Promise<boolean> {
  return updateIfFree(() => {
    sessionStorage.setItem(TRIED_KEY, getNewerBuild() ?? '');
    registration?.waiting?.postMessage('take over');
    location.reload();
  });
}
