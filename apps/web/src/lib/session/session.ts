import { createPageStore } from '@drawhouse/session/page-store';
import { createSessionStore } from '@drawhouse/session/session-store';
import { setDayZone } from '../format/serverDays.ts';
import { forgetAllKeys } from '../form/idempotencyKey.ts';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { takeRights } from './rights.ts';

/** Shared with the players' client. */
export const {
  getSession,
  getSessionEnd,
  getSessionTime,
  onSession,
  useSession,
  useSessionTime,
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
