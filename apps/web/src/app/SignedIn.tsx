import { Suspense, useEffect, useState } from 'react';
import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import type { Session } from '@drawhouse/session/session-storage';
import { getSessionTime, useSession, getSession, onSession, useSessionTime } from '../lib/session/session.ts';
import { blockNavigation } from '../lib/navigation.ts';
import { answerConfirmation, useConfirmation } from '../lib/session/confirmation.ts';
import { lazyPage, retryLoad, prefetched, afterFirstPage, lazyExtra, prefetchOnFirstUse } from '../lib/lazyParts.ts';
import { refreshSession, isSessionCheckStale, useClockDisagreement } from '../lib/session/sessionCalls.ts';
import { PageBanner } from './shell/PageBanner.tsx';
import { Pages } from './routes/StaffRoute.tsx';
import { queryClient } from '../lib/server/queryClient.ts';

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
    [],
  );
}

const usePasswordDialog = prefetched(() => import('./shell/SessionDialogs.tsx'));

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

const loadDialog = async () => (await import('./shell/SessionDialogs.tsx')).StayDialog;
const StayDialog = lazyExtra(loadDialog);
// At the session's end, the network may be gone.
prefetchOnFirstUse(loadDialog);

const TRY_AGAIN_MS = 30_000;

/** Extends the session during use, and offers to stay two minutes before its end. */
function SessionGuard() {
  const session = useSession();
  useSessionRefresh();
  const token = session?.token;
  useEffect(() => (token === undefined ? undefined : watchLater(token)), [token]);
  if (!session) return null;
  return <WatchedSession session={session} />;
}

const loadWatch = () => import('../lib/session/watchSession.ts');

function watchLater(token: string): () => void {
  let stop: () => void;
  stop = afterFirstPage(() => {
    stop = retryLoad(loadWatch, TRY_AGAIN_MS, ({ watchSession }) => {
      stop = watchSession(token);
    });
  });
  return () => stop();
}

function WatchedSession({ session }: { session: Session }) {
  const { phase } = useSessionTime();
  const [hasWarned, setWarned] = useState(false);
  if (phase === 'warning' && !hasWarned) setWarned(true);
  useClockDisagreement();
  return (
    hasWarned && (
      <Suspense>
        <StayDialog session={session} />
      </Suspense>
    )
  );
}

/** Asks the server periodically, because only it knows the maximum duration. */
function useSessionRefresh() {
  useEffect(
    () =>
      onSession(() => {
        const session = getSession();
        if (session && !session.final && isSessionCheckStale(session.token)) refreshSession().catch(() => undefined);
      }),
    [],
  );
}
