import { Suspense, useEffect, useState } from 'react';
import { askSession, isWordOld } from '../lib/askSession.ts';
import { lazyExtra } from '../lib/lazyExtra.ts';
import { fetchWithFirstUse } from '../lib/part.ts';
import { endSession, getSession, onSession } from '../lib/session.ts';
import type { Session } from '@drawhouse/session/kept-session';
import { useSession, useSessionTime } from '../lib/useSession.ts';
import { watchSession } from '../lib/watchSession.ts';

const loadDialog = async () => (await import('./StayDialog.tsx')).StayDialog;
const StayDialog = lazyExtra(loadDialog);
// Before it is needed: then it may be that nothing can be fetched.
fetchWithFirstUse(loadDialog);

/** After a sleep the server gets this long to say whether the session still stands. */
const DOUBT_MS = 4000;

/**
 * Watches the end of the session: asks the server for it now and then while there is use, asks when the clocks disagree,
 * hears from the server when it has ended it, and two minutes before the end offers to stay signed in. Signing out at the end is the session's own.
 */
export function SessionGuard() {
  const session = useSession();
  useServersWord();
  const token = session?.token;
  useEffect(() => (token === undefined ? undefined : watchSession(token)), [token]);
  if (!session) return null;
  return <WatchedSession session={session} />;
}

function WatchedSession({ session }: { session: Session }) {
  const { phase } = useSessionTime();
  const [hasWarned, setWarned] = useState(false);
  if (phase === 'warning' && !hasWarned) setWarned(true);
  useSettledDoubt(phase === 'doubtful', session.token);
  return (
    hasWarned && (
      <Suspense>
        <StayDialog session={session} />
      </Suspense>
    )
  );
}

/** While there is use, the server's own word on the end is asked for now and then: it alone knows the longest time. */
function useServersWord() {
  useEffect(
    () =>
      onSession(() => {
        const session = getSession();
        if (session && !session.final && isWordOld(session.token)) askSession().catch(() => undefined);
      }),
    [],
  );
}

/** Where only one clock says that the time is up, the server is asked; without an answer soon, it is up. */
function useSettledDoubt(doubtful: boolean, token: string) {
  useEffect(() => {
    if (!doubtful) return;
    askSession(AbortSignal.timeout(DOUBT_MS)).catch(() => endSession('ended', token));
  }, [doubtful, token]);
}
