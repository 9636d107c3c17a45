import { followRestoring, networkRestoring } from '@drawhouse/session/network-restoring';
import { useEffect } from 'react';
import { call } from './playerApi.ts';
import { routes } from './playerRoutes.ts';
import { useSession } from './playerSession.ts';

/** Slow is enough: placing a bet reports it immediately. */
const LOOK_EVERY_MS = 60_000;

/** True during a restore of the player's network. Polling does not extend the session. */
export function useRestoreInProgress(): boolean {
  const restoring = networkRestoring.useValue();
  const token = useSession()?.token;
  useEffect(() => {
    if (token === undefined) return undefined;
    return followRestoring(() => call(routes.session, {}, { background: true }), LOOK_EVERY_MS);
  }, [token]);
  return restoring && token !== undefined;
}
