import { Suspense, useEffect, useState } from 'react';
import { refreshSession, isSessionCheckStale } from '../../lib/session/sessionCalls.ts';
import { afterFirstPage, lazyExtra, prefetchOnFirstUse } from '../../lib/lazyParts.ts';
import { endSession, getSession, onSession, useSession, useSessionTime } from '../../lib/session/session.ts';
import type { Session } from '@drawhouse/session/session-storage';

const loadDialog = async () => (await import('./StayDialog.tsx')).StayDialog;
const StayDialog = lazyExtra(loadDialog);
// At the session's end, the network may be gone.
prefetchOnFirstUse(loadDialog);

const TRY_AGAIN_MS = 30_000;
/** Lets the server answer after the device wakes up. */
const DOUBT_MS = 4000;

/** Extends the session during use, and offers to stay two minutes before its end. */
export function SessionGuard() {
  const session = useSession();
  useSessionRefresh();
  const token = session?.token;
  useEffect(() => (token === undefined ? undefined : watchLater(token)), [token]);
  if (!session) return null;
  return <WatchedSession session={session} />;
}

function watchLater(token: string): () => void {
  let stop: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = () =>
    void import('../../lib/session/watchSession.ts').then(
      ({ watchSession }) => {
        if (stop === undefined) stop = watchSession(token);
      },
      () => (timer = setTimeout(watch, TRY_AGAIN_MS)),
    );
  const cancel = afterFirstPage(watch);
  return () => {
    cancel();
    clearTimeout(timer);
    stop?.();
    stop = () => undefined;
  };
}

function WatchedSession({ session }: { session: Session }) {
  const { phase } = useSessionTime();
  const [hasWarned, setWarned] = useState(false);
  if (phase === 'warning' && !hasWarned) setWarned(true);
  useClockDisagreement(phase === 'doubtful', session.token);
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

/** If only one clock says that time is up, asks the server. Without a timely answer, ends the session. */
function useClockDisagreement(doubtful: boolean, token: string) {
  useEffect(() => {
    if (!doubtful) return;
    refreshSession(AbortSignal.timeout(DOUBT_MS)).catch(() => endSession('ended', token));
  }, [doubtful, token]);
}
