import { createPageStore } from '@drawhouse/session/page-store';
import { createSessionStore } from '@drawhouse/session/session-store';
import { setDayZone } from '../format/serverDays.ts';
import { forgetAllKeys } from '../form/idempotencyKey.ts';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { mayCall } from '@drawhouse/contract/core/permissions';
import type { Permission } from '@drawhouse/contract/core/permissions';
import type { Route } from '@drawhouse/contract/core/route';
import { useSyncExternalStore } from 'react';
import type { Session } from '@drawhouse/session/session-storage';
import type { SessionTime } from '@drawhouse/session/session-store';

/** Shared with the players' client on the same server. */
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

function takeDayZone(): void {
  setDayZone(getSession()?.user?.timeZone);
}
takeDayZone();

onSession(() => {
  takeDayZone();
  if (getSessionEnd() === 'signed-out') forgetAllKeys();
});

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
  if (!user) throw new Error('useUser requires a signed-in account: use it inside the shell');
  return user;
}

/** True if the login has the right. Without a login, the owner or a player is signed in. */
export function may(permission: Permission | null): boolean {
  const login = getSession()?.user?.login;
  return login === undefined || permission === null || login.permissions.includes(permission);
}

/** True if the login may make the call. Whether the account may is another question. */
export function mayUse(route: Pick<Route, 'access' | 'permission' | 'file'>): boolean {
  const login = getSession()?.user?.login;
  return login === undefined || mayCall(route, login.permissions);
}

/** The account, or the person and the account: `anita1111 / Meera`. */
export function personOf({ username, login }: Pick<AuthUser, 'username' | 'login'>): string {
  return login === undefined ? username : `${username} / ${login.name}`;
}

const farewell = createPageStore<string | null>(null);
export const useSignOutReason = farewell.useValue;

/** Replaces the sign-in page's text with the reason the session ended, until the next sign-in. */
export function setSignOutReason(text: string): void {
  farewell.set(text);
}

let wasSignedIn = getSession() !== null;
onSession(() => {
  const isSignedIn = getSession() !== null;
  if (isSignedIn && !wasSignedIn) farewell.set(null);
  wasSignedIn = isSignedIn;
});
