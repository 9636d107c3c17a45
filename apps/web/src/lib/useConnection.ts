import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { useSyncExternalStore } from 'react';

/** True while the server is unreachable. */
export function useConnectionLost(): boolean {
  return !useSyncExternalStore(onReachable, isReachable);
}
