import offline from './offline.html?raw';

// Caches built files and serves an offline page. Never caches pages or calls, and is itself never cached.

declare const self: ServiceWorkerGlobalScope;

const BUILD = '%BUILD%';
const CACHE = `players-${BUILD}`;
const FILES = '/players/assets/';
/** Players' pages only; the back-office shares the host. */
const PAGES = /^\/(?:$|welcome|sign-in|help|terms|play\/|results\/|mine)/;

self.addEventListener('activate', (event) => event.waitUntil(begin()));

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith(FILES)) event.respondWith(keptFile(event));
  else if (mode === 'navigate' && PAGES.test(pathname)) event.respondWith(page(event));
});

// Pages allow it unless a bet is pending.
self.addEventListener('message', ({ data }) => {
  if (data === 'take over') void self.skipWaiting();
});

// Notifications are only about finished draws.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showPage((event.notification.data as { path: string }).path));
});

/** Deletes older caches. By now, no page uses them, or all agreed to reload. */
async function begin(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith('players-') && name !== CACHE) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
}

/** Cache first. Works if caching fails. */
async function keptFile(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const cache = await caches.open(CACHE).catch(() => undefined);
  const cached = await cache?.match(request, { ignoreVary: true }).catch(() => undefined);
  if (cached) return cached;
  const response = await fetch(request);
  if (cache && response.status === 200) event.waitUntil(cache.put(request, response.clone()).catch(() => {}));
  return response;
}

async function page({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    const early = (await preloadResponse) as Response | undefined;
    const answer = early ?? (await fetch(request));
    // A proxy answers 502 or more for an unreachable server.
    if (answer.status < 502) return answer;
  } catch {
    // No connection.
  }
  return new Response(offline, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

/** Falls back to any other tab of this app, then to a new one. */
async function showPage(path: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' });
  const open = pages.find(({ url }) => new URL(url).pathname === path) ?? pages[0];
  await (open ? open.focus() : self.clients.openWindow(path));
}
