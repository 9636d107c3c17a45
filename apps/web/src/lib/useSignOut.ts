import { logout } from '@drawhouse/contract/auth/auth';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { commonTexts } from '../commonTexts.ts';
import { call, errorMessage } from './api.ts';
import { failureNote } from './RequestId.tsx';
import { endSession } from './session.ts';

/** Signs out here and at the server; the app then leads to the sign-in. */
export function useSignOut(): () => Promise<void> {
  return useCallback(async () => {
    const answered = call(logout, {}, { fallback: commonTexts.auth.logoutFailed });
    // Not after the answer: what the pages still ask for would be refused before it, and said to be an end that nobody asked for.
    endSession('signed-out');
    try {
      await answered;
    } catch (error) {
      notifications.show({ color: 'red', message: failureNote(errorMessage(error)) });
    }
  }, []);
}
