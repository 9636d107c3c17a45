import { session as sessionRoute } from '@drawhouse/contract/auth/auth';
import { followRestoring, networkRestoring } from '@drawhouse/session/network-restoring';
import { useEffect } from 'react';
import { call } from '../server/api.ts';
import { useSession } from './session.ts';

/** No event reports a restore that began elsewhere. */
const LOOK_EVERY_MS = 15_000;

/** True while the account's network is being restored. Polling does not extend the session. */
export function useRestoring(): boolean {
  const restoring = networkRestoring.useValue();
  const session = useSession();
  const token = session?.user && session.user.role !== 'superadmin' ? session.token : undefined;
  useEffect(() => {
    if (token === undefined) return undefined;
    return followRestoring(() => call(sessionRoute, {}, { background: true }), LOOK_EVERY_MS);
  }, [token]);
  return restoring && token !== undefined;
}
