import type { ShownProtection } from '@drawhouse/contract/players/protection';
import { dayOf } from '@drawhouse/rules/time/zone-days';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { onReconnect } from '../server/liveConnection.ts';
import { LOBBY } from './useLobby.ts';
import { hasLimits, pauseAt, type Pause } from './bettingPause.ts';
import { call } from '../server/playerApi.ts';
import { routes } from '../server/playerRoutes.ts';
import { noteServerTime, useServerTime } from '../server/serverTime.ts';
import { cachedData, invalidate, useRetry, useQuery } from '../server/useQuery.ts';
import { onWalletChange } from './wallet.ts';

export const PROTECTION = 'protection';

export function useProtection() {
  return useQuery(PROTECTION, async (signal): Promise<ShownProtection> => {
    const { data } = await call(routes.protection, {}, { signal, background: true });
    noteServerTime(data.serverTime);
    return data;
  });
}

/** Reloads after wallet changes if limits apply, after reconnects, and at the network's end of day. */
export function useCurrentProtection() {
  const read = useProtection();
  useRetry(read);
  useEffect(() => {
    const readLimited = () => {
      const cached = cachedData(PROTECTION) as ShownProtection | undefined;
      if (cached && hasLimits(cached)) invalidate(PROTECTION);
    };
    const stops = [onWalletChange(readLimited), onReconnect(() => invalidate(PROTECTION))];
    return () => stops.forEach((stop) => stop());
  }, []);
  const timeZone = read.data?.timeZone;
  const day = useServerTime(
    useCallback((now: number) => (timeZone === undefined ? '' : dayOf(now, timeZone)), [timeZone]),
  );
  const before = useRef('');
  useEffect(() => {
    const isNext = before.current !== '' && day !== before.current;
    before.current = day;
    if (isNext) for (const name of [LOBBY, PROTECTION]) invalidate(name);
  }, [day]);
  return read;
}

export function usePause(): Pause | null {
  const { data } = useProtection();
  const text = useServerTime(useCallback((now: number) => JSON.stringify(data ? pauseAt(data, now) : null), [data]));
  return useMemo(() => JSON.parse(text) as Pause | null, [text]);
}
