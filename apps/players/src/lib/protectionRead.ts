import type { ShownProtection } from '@drawhouse/contract/players/protection';
import { call } from './playerCall.ts';
import { routes } from './playerRoutes.ts';
import { noteServerTime } from './serverTime.ts';
import { useRead } from './useRead.ts';

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
