import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../lib/api.ts';
import { isConnectionLost, subscribeConnection } from '../lib/connection.ts';
import { SIGN_IN_PATH } from '../lib/paths.ts';
import { queryKeys } from '../lib/queryKeys.ts';
import { getSession, getSessionEnd, getSessionTime, subscribeSession } from '../lib/session.ts';
import { MESSAGE_MS } from '../messages.ts';
import { router } from './router.tsx';
import { Notices } from './Notices.tsx';
import { SessionGuard } from './SessionGuard.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

const RETRIES = 2;

/**
 * A refusal stays one however often it is asked; only a failing server is asked again. Without a connection it is said at once: when
 * it is back, everything that is shown is asked again.
 */
function isWorthRetrying(failures: number, error: Error): boolean {
  const answered = !(error instanceof ApiError) || error.status >= 500;
  return answered && failures < RETRIES;
}

const queryClient = new QueryClient({
  defaultOptions: {
    // Without a connection a call fails at once and says so: the default would hold it back, and send it unasked later.
    queries: { retry: isWorthRetrying, staleTime: 5000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
});

const colorSchemeManager = localStorageColorSchemeManager({ key: 'theme' });

/** The whole app: theme, messages, data and pages. */
export function App() {
  useSessionWatch();
  useReconnect();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="light"
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <SessionGuard />
        <Notices router={router} />
        <Notifications position="top-center" autoClose={MESSAGE_MS.usual} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/**
 * When the connection is back, everything that is shown is asked for again. Not in the last minutes of a session: asking is a use of
 * it, and whether to stay signed in is a question to the person.
 */
function useReconnect() {
  useEffect(
    () =>
      subscribeConnection(() => {
        if (isConnectionLost() || !getSession() || getSessionTime().phase !== 'running') return;
        void queryClient.invalidateQueries({
          predicate: ({ queryKey, state }) => queryKey[0] !== queryKeys.session || state.status === 'error',
        });
      }),
    [],
  );
}

/** When a session ends, nothing of it stays: the data goes, and the page's guard leads to the sign-in. */
function useSessionWatch() {
  useEffect(() => {
    let signedIn = getSession() !== null;
    return subscribeSession(() => {
      const now = getSession() !== null;
      const ended = signedIn && !now;
      signedIn = now;
      if (!ended) return;
      queryClient.clear();
      if (getSessionEnd() === 'signed-out') router.history.push(SIGN_IN_PATH);
      else void router.invalidate();
    });
  }, []);
}
