import { isReachable, onReachable } from '@drawhouse/session/server-reach';
import { useSyncExternalStore } from 'react';

export function useReachable(): boolean {
  return useSyncExternalStore(onReachable, isReachable);
}
