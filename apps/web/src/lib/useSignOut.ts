import { logout } from '@drawhouse/contract/auth';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { messages } from '../messages.ts';
import { call } from './api.ts';
import { endSession } from './session.ts';

/** Signs out here and at the server; the app then leads to the sign-in. */
export function useSignOut(): () => Promise<void> {
  return useCallback(async () => {
    try {
      await call(logout, {});
    } catch {
      notifications.show({ color: 'red', message: messages.errors.logoutFailed });
    }
    endSession('signed-out');
  }, []);
}
