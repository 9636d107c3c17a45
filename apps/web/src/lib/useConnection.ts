import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { useSyncExternalStore } from 'react';

/** Whether the server can't be reached at the moment; follows every change. */
export function useConnectionLost(): boolean {
  return !useSyncExternalStore(onReachable, isReachable);
}
