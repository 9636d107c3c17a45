import { useSyncExternalStore } from 'react';
import { getConfirmation, subscribeConfirmation } from './confirmation.ts';

/** The number of the question for the password that is open; null while there is none. */
export function useConfirmation(): number | null {
  return useSyncExternalStore(subscribeConfirmation, getConfirmation);
}
