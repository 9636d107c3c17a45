import { backupProgress } from '@drawhouse/contract/backup/backups';
import type { NetworkWorkState } from '@drawhouse/contract/network-work/work';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { call } from './api.ts';
import { queryKeys } from './queryKeys.ts';

/** How often it is asked for while something is under way, and else: somebody may begin something in another tab. */
const BUSY_MS = 1_000;
const IDLE_MS = 5_000;

/** What is under way with the own network. */
export interface NetworkWorkView {
  /** The latest, also when it has ended; null where there was none, undefined until it is known. */
  readonly work: NetworkWorkState | null | undefined;
  /** Asks now; undefined where that fails. */
  readonly look: () => Promise<NetworkWorkState | null | undefined>;
}

/** Whether it has not ended. */
export function isUnderWay(work: NetworkWorkState | null | undefined): work is NetworkWorkState {
  return work != null && work.finishedAt === null;
}

/**
 * Follows what is done with the own network, whoever began it and wherever. `onEnd` hears of each thing that ends while the page is open;
 * `isAwaited` says that something was begun here, of which the server may not know yet.
 */
export function useNetworkWork(isAwaited: boolean, onEnd: (work: NetworkWorkState) => void): NetworkWorkView {
  const { data, refetch } = useQuery({
    queryKey: [queryKeys.networkWork],
    queryFn: ({ signal }) => call(backupProgress, {}, { signal, background: true }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isAwaited || isUnderWay(state.data?.work) ? BUSY_MS : IDLE_MS),
  });
  const work = data?.work;
  const known = useRef<typeof work>(undefined);
  const tell = useEffectEvent(onEnd);
  useEffect(() => {
    const before = known.current;
    if (work === undefined) return;
    known.current = work;
    if (before === undefined || work === null || work.finishedAt === null) return;
    if (before?.startedAt !== work.startedAt || before.finishedAt === null) tell(work);
  }, [work]);
  const look = useCallback(async () => (await refetch()).data?.work, [refetch]);
  return { work, look };
}
