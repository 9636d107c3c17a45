import { createPageStore } from '@drawhouse/session/page-store';
import { createSessionStore, type SessionTime } from '@drawhouse/session/session-store';
import { setDayZone } from '../format/serverDays.ts';
import { forgetAllKeys } from '../form/idempotencyKey.ts';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { takeRights } from './rights.ts';
import { useSyncExternalStore } from 'react';
import type { Session } from '@drawhouse/session/session-storage';

/** Shared with the players' client. */
export const {
  getSession,
  getSessionEnd,
  getSessionTime,
  onSession,
  onSessionTime,
  noteServerDate,
  startSession,
  updateSession,
  noteSessionUse,
  endSession,
} = createSessionStore(window, Date.now);

function takeUser(): void {
  takeRights(getSession()?.user);
  setDayZone(getSession()?.user?.timeZone);
}
takeUser();

onSession(() => {
  takeUser();
  if (getSessionEnd() === 'signed-out') forgetAllKeys();
});

export function useSession(): Session | null {
  return useSyncExternalStore(onSession, getSession);
}

/** Updates each second in the last two minutes. */
export function useSessionTime(): SessionTime {
  return useSyncExternalStore(onSessionTime, getSessionTime);
}

/** Use only within the shell, which waits for the account. */
export function useUser(): AuthUser {
  const user = useSession()?.user;
  if (!user) throw new Error('useUser requires a signed-in account: use it inside the shell');
  return user;
}

export function personOf({ username, login }: Pick<AuthUser, 'username' | 'login'>): string {
  return login === undefined ? username : `${username} / ${login.name}`;
}

const farewell = createPageStore<string | null>(null);
export const useSignOutReason = farewell.useValue;

/** Shown on the sign-in page until the next sign-in. */
export function setSignOutReason(text: string): void {
  farewell.set(text);
}

let wasSignedIn = getSession() !== null;
onSession(() => {
  const isSignedIn = getSession() !== null;
  if (isSignedIn && !wasSignedIn) farewell.set(null);
  wasSignedIn = isSignedIn;
});
