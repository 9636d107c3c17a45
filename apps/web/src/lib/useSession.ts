import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { useSyncExternalStore } from 'react';
import { getSession, getSessionTime, subscribeSession, subscribeSessionTime } from './session.ts';
import type { Session, SessionTime } from './session.ts';

/** The session of this tab, or null when signed out; follows every change. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeSession, getSession);
}

/** How the session stands by the clock; changes each second of its last two minutes. */
export function useSessionTime(): SessionTime {
  return useSyncExternalStore(subscribeSessionTime, getSessionTime);
}

/** The signed-in account. Only for pages inside the shell, which waits for it. */
export function useUser(): AuthUser {
  const user = useSession()?.user;
  if (!user) throw new Error('useUser needs a signed-in account: use it inside the shell');
  return user;
}
