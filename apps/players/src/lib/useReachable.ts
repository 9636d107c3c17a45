import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { useSyncExternalStore } from 'react';

/** Whether the server can be reached, as it now is. */
export function useReachable(): boolean {
  return useSyncExternalStore(onReachable, isReachable);
}
