import { useSyncExternalStore } from 'react';
import { isConnectionLost, subscribeConnection } from './connection.ts';

/** Whether the server can't be reached at the moment; follows every change. */
export function useConnectionLost(): boolean {
  return useSyncExternalStore(subscribeConnection, isConnectionLost);
}
