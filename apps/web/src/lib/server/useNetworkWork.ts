import { backupProgress } from '@drawhouse/contract/backup/backups';
import type { NetworkWorkState } from '@drawhouse/contract/network-work/network-work';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { callQuery } from './api.ts';

/** Another tab may start a job. */
const BUSY_MS = 1_000;
const IDLE_MS = 5_000;

export interface NetworkWorkView {
  /** Running or finished; null if there was none, undefined while loading. */
  readonly work: NetworkWorkState | null | undefined;
  readonly read: () => Promise<NetworkWorkState | null | undefined>;
}

export function isRunning(work: NetworkWorkState | null | undefined): work is NetworkWorkState {
  return work != null && work.finishedAt === null;
}

/** Includes jobs of other users of the network. `isAwaited`: a job started here may not be reported yet. */
export function useNetworkWork(isAwaited: boolean, onEnd: (work: NetworkWorkState) => void): NetworkWorkView {
  const { data, refetch } = useQuery({
    ...callQuery(['networkWork'], backupProgress, {}, { background: true }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isAwaited || isRunning(state.data?.work) ? BUSY_MS : IDLE_MS),
  });
  const work = data?.work;
  const previous = useRef<typeof work>(undefined);
  const notifyEnd = useEffectEvent(onEnd);
  useEffect(() => {
    const before = previous.current;
    if (work === undefined) return;
    previous.current = work;
    if (before === undefined || work === null || work.finishedAt === null) return;
    if (before?.startedAt !== work.startedAt || before.finishedAt === null) notifyEnd(work);
  }, [work]);
  const refresh = useCallback(async () => (await refetch()).data?.work, [refetch]);
  return { work, read: refresh };
}
