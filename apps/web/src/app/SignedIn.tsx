import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { queryKeys } from '../lib/queryKeys.ts';
import { getSessionTime } from '../lib/session.ts';
import { GoContext } from '../lib/useGo.ts';
import type { Go } from '../lib/useGo.ts';
import { useQueryClient } from '@tanstack/react-query';
import { PageBanner } from './PageBanner.tsx';
import { createPages } from './router.tsx';
import { SessionGuard } from './SessionGuard.tsx';
import { answerConfirmation } from '../lib/confirmation.ts';
import { partOf } from '../lib/part.ts';
import { useConfirmation } from '../lib/useConfirmation.ts';

/** Everything for those who are signed in: the pages, what watches the session, and what is said above all pages. */
export function SignedIn() {
  // A router of its own for each session: the next person begins with nothing of the last one's.
  const [router] = useState(createPages);
  const go = useMemo<Go>(() => {
    const { history } = router;
    return {
      to: (path) => history.push(path),
      replace: (path) => history.replace(path),
      back: (otherwise) => (history.canGoBack() ? history.back() : history.replace(otherwise)),
    };
  }, [router]);
  useReconnect();
  return (
    <GoContext value={go}>
      <RouterProvider router={router} />
      <SessionGuard />
      <ConfirmPassword router={router} />
      <PageBanner router={router} />
    </GoContext>
  );
}

/**
 * When the connection is back, everything that is shown is asked for again. Not in the last minutes of a session: asking is a use of
 * it, and whether to stay signed in is a question to the person.
 */
function useReconnect() {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onReachable(() => {
        if (!isReachable() || getSessionTime().phase !== 'running') return;
        void queryClient.invalidateQueries({
          // What is being tried again by itself is not begun anew: it would never come to say that it failed.
          predicate: ({ queryKey, state }) =>
            (queryKey[0] !== queryKeys.session || state.status === 'error') &&
            (state.fetchStatus !== 'fetching' || state.fetchFailureCount === 0),
        });
      }),
    [queryClient],
  );
}

const usePasswordDialog = partOf(() => import('./PasswordDialog.tsx'));

/**
 * Asks for the password where a call wants it anew; the call then goes on as it was sent. Whoever goes back, or is signed out, has not
 * given it: Back closes the question and leaves what was typed.
 */
function ConfirmPassword({ router: { history } }: { router: ReturnType<typeof createPages> }) {
  const number = useConfirmation();
  const [shown, setShown] = useState<number | null>(null);
  if (number !== null && number !== shown) setShown(number);
  const Dialog = usePasswordDialog(shown !== null)?.PasswordDialog;
  const isAsked = number !== null;
  useEffect(() => {
    if (!isAsked) return;
    const cancel = () => {
      answerConfirmation(false);
      return true;
    };
    const unblock = history.block({ blockerFn: cancel });
    return () => {
      unblock();
      cancel();
    };
  }, [isAsked, history]);
  return Dialog && shown !== null && <Dialog key={shown} opened={number === shown} />;
}
