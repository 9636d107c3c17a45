import { notificationsStore } from '@mantine/notifications';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import type { ComponentType } from 'react';
import { isConnectionLost, subscribeConnection } from '../lib/connection.ts';
import { fetchWithFirstUse } from '../lib/part.ts';

/** How long after a try that failed the next one comes. */
const RETRY_MS = 2_000;

let fetched: Promise<{ MessageList: ComponentType }> | undefined;

/** Fetches how messages look, once, however often that has to be tried: what is said of a lost connection must not take the app away. */
function fetchList(): NonNullable<typeof fetched> {
  return (fetched ??= import('./MessageList.tsx').catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    fetched = undefined;
    return fetchList();
  }));
}

const MessageList = lazy(async () => ({ default: (await fetchList()).MessageList }));

/** Fetches styles again that came to nothing without a connection: the bundler asks for a script once more, and never for its styles. */
function keepStyles(): () => void {
  const missing = new Set<HTMLLinkElement>();
  const onError = ({ target }: ErrorEvent) => void (target instanceof HTMLLinkElement && missing.add(target));
  // What could not be fetched says so to itself alone, on the way down.
  window.addEventListener('error', onError, true);
  const unsubscribe = subscribeConnection(() => {
    if (isConnectionLost()) return;
    for (const link of missing) link.replaceWith(link.cloneNode());
    missing.clear();
  });
  return () => {
    window.removeEventListener('error', onError, true);
    unsubscribe();
  };
}

// Once anything is done there may be something to say, and by then there may be no connection.
fetchWithFirstUse(fetchList);

/** Short messages about what was done, above every page. */
export function Messages() {
  const hasAny = useSyncExternalStore(
    notificationsStore.subscribe,
    () => notificationsStore.getState().notifications.length > 0,
  );
  const [hadAny, setHadAny] = useState(false);
  if (hasAny && !hadAny) setHadAny(true);
  useEffect(keepStyles, []);
  return <Suspense>{hadAny && <MessageList />}</Suspense>;
}
