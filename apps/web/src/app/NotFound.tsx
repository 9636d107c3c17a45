import { useEffect } from 'react';
import { homePath, SIGN_IN_PATH } from '../lib/paths.ts';
import { useGo } from '../lib/useGo.ts';
import { useSession } from '../lib/useSession.ts';

/** An unknown path leads to the own start: the role's first page, or the sign-in when signed out. */
export function NotFound() {
  const session = useSession();
  const go = useGo();
  const start = session ? homePath(session.role) : SIGN_IN_PATH;
  useEffect(() => go.replace(start), [go, start]);
  return null;
}
