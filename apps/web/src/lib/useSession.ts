import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { useSyncExternalStore } from 'react';
import { getSession, getSessionTime, onSession, onSessionTime } from './session.ts';
import type { Session } from '@drawhouse/session/kept-session';
import type { SessionTime } from '@drawhouse/session/session-store';

/** The session of this tab, or null when signed out; follows every change. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSession, getSession);
}

/** How the session stands by the clock; changes each second of its last two minutes. */
export function useSessionTime(): SessionTime {
  return useSyncExternalStore(onSessionTime, getSessionTime);
}

/** The signed-in account. Only for pages inside the shell, which waits for it. */
export function useUser(): AuthUser {
  const user = useSession()?.user;
  if (!user) throw new Error('useUser needs a signed-in account: use it inside the shell');
  return user;
}
