import { logout } from '@drawhouse/contract/auth';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { messages } from '../messages.ts';
import { call, errorMessage } from './api.ts';
import { endSession } from './session.ts';

/** Signs out here and at the server; the app then leads to the sign-in. */
export function useSignOut(): () => Promise<void> {
  return useCallback(async () => {
    try {
      await call(logout, {}, { fallback: messages.auth.logoutFailed });
    } catch (error) {
      notifications.show({ color: 'red', message: errorMessage(error) });
    }
    endSession('signed-out');
  }, []);
}
