import type { ShownProtection } from '@drawhouse/contract/players/protection';
import { dayOf } from '@drawhouse/rules/zone-days';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { onLineBack } from './liveLine.ts';
import { LOBBY } from './lobbyRead.ts';
import { hasLimits, pauseAt } from './ownDay.ts';
import type { Pause } from './ownDay.ts';
import { call } from './playerApi.ts';
import { routes } from './playerRoutes.ts';
import { noteServerTime, useServerTime } from './serverTime.ts';
import { knownRead, readAfter, useAskedAgain, useRead } from './useRead.ts';
import { onWalletChange } from './wallet.ts';

/** The name under which every page finds the own protection. */
export const PROTECTION = 'protection';

/** The own limits, the break that holds, and what the day has brought. */
export function useProtection() {
  return useRead(PROTECTION, async (signal): Promise<ShownProtection> => {
    const { data } = await call(routes.protection, {}, { signal, background: true });
    noteServerTime(data.serverTime);
    return data;
  });
}

/**
 * The same for the whole of a page, which keeps it as it is: read anew where limits hold and the wallet has changed, when the live connection is back, and
 * when the day of the network ends, with the lobby, whose figures are of that day too.
 */
export function useKeptProtection() {
  const read = useProtection();
  useAskedAgain(read);
  useEffect(() => {
    const readLimited = () => {
      const known = knownRead(PROTECTION) as ShownProtection | undefined;
      if (known && hasLimits(known)) readAfter(PROTECTION);
    };
    const stops = [onWalletChange(readLimited), onLineBack(() => readAfter(PROTECTION))];
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
    if (isNext) for (const name of [LOBBY, PROTECTION]) readAfter(name);
  }, [day]);
  return read;
}

/** What keeps the player from betting now; null where nothing does, or it is not known yet. */
export function usePause(): Pause | null {
  const { data } = useProtection();
  const text = useServerTime(useCallback((now: number) => JSON.stringify(data ? pauseAt(data, now) : null), [data]));
  return useMemo(() => JSON.parse(text) as Pause | null, [text]);
}
