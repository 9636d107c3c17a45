import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { useSyncExternalStore } from 'react';
import { getSession, getSessionTime, onSession, onSessionTime } from './session.ts';
import type { Session } from '@drawhouse/session/kept-session';
import type { SessionTime } from '@drawhouse/session/session-store';

export function useSession(): Session | null {
  return useSyncExternalStore(onSession, getSession);
}

/** Updates every second in the last two minutes. */
export function useSessionTime(): SessionTime {
  return useSyncExternalStore(onSessionTime, getSessionTime);
}

/** Only for pages inside the shell, which waits for the account. */
export function useUser(): AuthUser {
  const user = useSession()?.user;
  if (!user) throw new Error('useUser needs a signed-in account: use it inside the shell');
  return user;
}
