import { logout } from '@drawhouse/contract/auth/auth';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { commonTexts } from '../../commonTexts.ts';
import { call, errorMessage } from '../server/api.ts';
import { failureNote } from '../RequestId.tsx';
import { endSession } from './session.ts';

export function useSignOut(): () => Promise<void> {
  return useCallback(async () => {
    const answered = call(logout, {}, { fallback: commonTexts.auth.logoutFailed });
    // Before the server call: otherwise pending requests fail and report an unexpected end.
    endSession('signed-out');
    try {
      await answered;
    } catch (error) {
      notifications.show({ color: 'red', message: failureNote(errorMessage(error)) });
    }
  }, []);
}
