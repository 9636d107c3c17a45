import { useSyncExternalStore } from 'react';
import { getConfirmation, subscribeConfirmation } from './confirmation.ts';

export function useConfirmation(): number | null {
  return useSyncExternalStore(subscribeConfirmation, getConfirmation);
}
