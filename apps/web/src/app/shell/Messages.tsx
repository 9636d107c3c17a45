import { notifications, notificationsStore } from '@mantine/notifications';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore, type ComponentType } from 'react';
import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { firstTexts } from '../../firstTexts.ts';
import { onPartMissing, prefetchOnFirstUse } from '../../lib/lazyParts.ts';

const RETRY_MS = 2_000;

let fetched: Promise<{ default: ComponentType }> | undefined;

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

onPartMissing(() => notifications.show({ id: 'part-missing', message: firstTexts.errors.partMissing, color: 'red' }));

const missing = new Set<HTMLLinkElement>();
const waiting: (() => void)[] = [];

/** Waits, because an unstyled message might expire before its styles arrive. */
function stylesHere(): Promise<void> {
  return new Promise((go) => {
    waiting.push(go);
    goOn();
  });
}

function goOn(): void {
  if (![...missing].some(({ rel }) => rel === 'stylesheet')) for (const go of waiting.splice(0)) go();
}

/** Retries failed styles, because neither bundler nor browser does. */
function keepLinks(): () => void {
  const onError = ({ target }: ErrorEvent) => void (target instanceof HTMLLinkElement && missing.add(target));
  // Load errors do not bubble.
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
  // With a connection, the failure has another cause.
  next.addEventListener('error', () => void (!isReachable() || end()));
  missing.delete(link);
  missing.add(next);
  link.replaceWith(next);
}

// When a message is due, the connection may be gone.
prefetchOnFirstUse(fetchList);

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
