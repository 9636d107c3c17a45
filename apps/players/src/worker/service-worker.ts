import offline from './offline.html?raw';

// What stands beside the pages of the players: it keeps the built files, whose names say what is in them, and says in words that there is no
// connection. It answers nothing else: no page and no call is ever kept. This script itself is never cached.

declare const self: ServiceWorkerGlobalScope;

/** The name of this build: each has another script, by which browsers see that there is a newer one. */
const BUILD = '%BUILD%';
const CACHE = `players-${BUILD}`;
const FILES = '/players/assets/';
/** The pages that are the players' own; those of the back-office have the same host. */
const PAGES = /^\/(?:$|welcome|sign-in|play\/|mine)/;

self.addEventListener('activate', (event) => event.waitUntil(begin()));

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith(FILES)) event.respondWith(keptFile(event));
  else if (mode === 'navigate' && PAGES.test(pathname)) event.respondWith(page(event));
});

// A page says when it may be: not while a bet has no answer.
self.addEventListener('message', ({ data }) => {
  if (data === 'take over') void self.skipWaiting();
});

/** Forgets the files of earlier builds. By then no page of them is open, or all have agreed to be loaded anew. */
async function begin(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith('players-') && name !== CACHE) await caches.delete(name);
  // The page is asked for while this script wakes up, not after it.
  await self.registration.navigationPreload?.enable();
}

/** A built file, from what is kept or the server. A device that keeps nothing any more gets it all the same. */
async function keptFile(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const cache = await caches.open(CACHE).catch(() => undefined);
  const kept = await cache?.match(request, { ignoreVary: true }).catch(() => undefined);
  if (kept) return kept;
  const response = await fetch(request);
  if (cache && response.status === 200) event.waitUntil(cache.put(request, response.clone()).catch(() => {}));
  return response;
}

async function page({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    const early = (await preloadResponse) as Response | undefined;
    const answer = early ?? (await fetch(request));
    // Behind a proxy it is that which says that the server is not there.
    if (answer.status < 502) return answer;
  } catch {
    // There is no connection.
  }
  return new Response(offline, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
