import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { homePath, SIGN_IN_PATH } from '../lib/paths.ts';
import { useGo } from '../lib/useGo.ts';
import { useSession } from '../lib/useSession.ts';

export function UnknownPath() {
  const role = useSession()?.role;
  const go = useGo();
  useEffect(() => {
    notifications.show({ id: 'unknown-path', message: 'This address leads nowhere.', color: 'yellow' });
    go.replace(role ? homePath(role) : SIGN_IN_PATH);
  }, [go, role]);
  return null;
}
