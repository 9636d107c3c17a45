import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { useSyncExternalStore } from 'react';

export function useConnectionLost(): boolean {
  return !useSyncExternalStore(onReachable, isReachable);
}
