import { sumPoints } from '@drawhouse/contract/frame/hundredths';
import { useEffect } from 'react';
import { onLineBack } from '../../lib/liveLine.ts';
import { call } from '../../lib/playerApi.ts';
import { routes } from '../../lib/playerRoutes.ts';
import { useProtection } from '../../lib/protectionRead.ts';
import { readAfter, useAskedAgain, useRead } from '../../lib/useRead.ts';
import { onWalletChange } from '../../lib/wallet.ts';
import type { PlayState } from '../playNews.ts';
import type { TicketLimits } from './ticketRoom.ts';

/** So many of the open tickets of the game are looked at. */
const LAST_TICKETS = 500;
const NONE: TicketLimits['own'] = [];

/** What limits tickets on the draw that runs, with what was laid on it where there is a limit on a draw. */
export function useTicketLimits({ gameId, draw, limits }: PlayState): TicketLimits {
  const own = useProtection().data?.limits ?? NONE;
  const isByDraw =
    limits.perPlayer !== null || own.some(({ limit, value }) => limit === 'stakePerDraw' && value !== null);
  const drawId = draw?._id;
  const name = isByDraw && drawId !== undefined ? `laid/${drawId}` : null;
  const read = useRead(name, (signal) => readLaid(gameId, drawId ?? '', signal));
  useAskedAgain(read);
  useEffect(() => {
    if (name === null) return;
    const readNow = () => readAfter(name);
    const stops = [onWalletChange(readNow), onLineBack(readNow)];
    return () => stops.forEach((stop) => stop());
  }, [name]);
  return { limits, own, laid: read.data ?? null };
}

async function readLaid(gameId: string, drawId: string, signal: AbortSignal): Promise<number> {
  const query = { gameId, status: 'open', pageSize: String(LAST_TICKETS) } as const;
  const { data } = await call(routes.tickets, { query }, { signal, background: true });
  return sumPoints(data.filter((ticket) => ticket.drawId === drawId).map(({ playpoints }) => playpoints));
}
