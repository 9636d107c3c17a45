import { Suspense, useEffect, useState } from 'react';
import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { getSessionTime, useSession } from '../lib/session/session.ts';
import { blockNavigation } from '../lib/navigation.ts';
import { useQueryClient } from '@tanstack/react-query';
import { PageBanner } from './shell/PageBanner.tsx';
import { Pages } from './routes/StaffRoute.tsx';
import { SessionGuard } from './shell/SessionGuard.tsx';
import { answerConfirmation, useConfirmation } from '../lib/session/confirmation.ts';
import { lazyPage, prefetched } from '../lib/lazyParts.ts';

const DutyPage = lazyPage(async () => (await import('./shell/DutyPage.tsx')).DutyPage);

export function SignedIn() {
  useReconnect();
  const user = useSession()?.user;
  return (
    <>
      {user?.mustChangePassword || user?.mustAddFactor ? (
        <Suspense>
          <DutyPage />
        </Suspense>
      ) : (
        <Pages />
      )}
      <SessionGuard />
      <ConfirmPassword />
      <PageBanner />
    </>
  );
}

/** Refetches nothing in a session's last minutes: a request would extend the session without asking. */
function useReconnect() {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onReachable(() => {
        if (!isReachable() || getSessionTime().phase !== 'running') return;
        void queryClient.invalidateQueries({
          // Restarting a running session retry would hide its failure forever.
          predicate: ({ queryKey, state }) =>
            (queryKey[0] !== 'session' || state.status === 'error') &&
            (state.fetchStatus !== 'fetching' || state.fetchFailureCount === 0),
        });
      }),
    [queryClient],
  );
}

const usePasswordDialog = prefetched(() => import('./shell/PasswordDialog.tsx'));

/** After the answer, the call continues unchanged. Back or a sign-out cancels it. Back keeps the input of the page. */
function ConfirmPassword() {
  const number = useConfirmation();
  const [shown, setShown] = useState<number | null>(null);
  if (number !== null && number !== shown) setShown(number);
  const Dialog = usePasswordDialog(shown !== null)?.PasswordDialog;
  const isOpen = number !== null;
  useEffect(() => {
    if (!isOpen) return;
    const cancel = () => {
      answerConfirmation(false);
      return true;
    };
    const unblock = blockNavigation(cancel);
    return () => {
      unblock();
      cancel();
    };
  }, [isOpen]);
  return Dialog && shown !== null && <Dialog key={shown} opened={number === shown} />;
}
