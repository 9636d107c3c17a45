import { notificationsStore } from '@mantine/notifications';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import type { ComponentType } from 'react';
import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { fetchWithFirstUse } from '../lib/part.ts';

/** How long after a try that failed the next one comes. */
const RETRY_MS = 2_000;

let fetched: Promise<{ default: ComponentType }> | undefined;

/** Fetches how messages look, once, however often that has to be tried: what is said of a lost connection must not take the app away. */
function fetchList(): NonNullable<typeof fetched> {
  return (fetched ??= fetchOnce().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    fetched = undefined;
    return fetchList();
  }));
}

async function fetchOnce(): NonNullable<typeof fetched> {
  const { MessageList: List } = await import('./MessageList.tsx');
  await stylesHere();
  return { default: List };
}

const MessageList = lazy(fetchList);

/** What came to nothing without a connection, styles and scripts, or is asked for once more. */
const missing = new Set<HTMLLinkElement>();
const waiting: (() => void)[] = [];

/** Waits for the styles that are missing: a message that stands there without them may be gone before they come. */
function stylesHere(): Promise<void> {
  return new Promise((go) => {
    waiting.push(go);
    goOn();
  });
}

function goOn(): void {
  if (![...missing].some(({ rel }) => rel === 'stylesheet')) for (const go of waiting.splice(0)) go();
}

/** Fetches again what is missing: the bundler never asks for styles once more, nor the browser for a script. */
function keepLinks(): () => void {
  const onError = ({ target }: ErrorEvent) => void (target instanceof HTMLLinkElement && missing.add(target));
  // What could not be fetched says so to itself alone, on the way down.
  window.addEventListener('error', onError, true);
  const unsubscribe = onReachable(() => {
    if (isReachable()) [...missing].forEach(fetchAgain);
  });
  return () => {
    window.removeEventListener('error', onError, true);
    unsubscribe();
  };
}

function fetchAgain(link: HTMLLinkElement): void {
  const next = link.cloneNode() as HTMLLinkElement;
  const end = () => {
    missing.delete(next);
    goOn();
  };
  next.addEventListener('load', end);
  // Where there is a connection it is not for want of one: the page does without it.
  next.addEventListener('error', () => void (!isReachable() || end()));
  missing.delete(link);
  missing.add(next);
  link.replaceWith(next);
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
  useEffect(keepLinks, []);
  return <Suspense>{hadAny && <MessageList />}</Suspense>;
}
