import { notificationsStore } from '@mantine/notifications';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';

const MessageList = lazy(async () => ({ default: (await import('./MessageList.tsx')).MessageList }));

/** Short messages about what was done, above every page. Their looks are fetched with the first one. */
export function Messages() {
  const hasAny = useSyncExternalStore(
    notificationsStore.subscribe,
    () => notificationsStore.getState().notifications.length > 0,
  );
  const [hadAny, setHadAny] = useState(false);
  if (hasAny && !hadAny) setHadAny(true);
  return <Suspense>{hadAny && <MessageList />}</Suspense>;
}
