import { sumPoints } from '@drawhouse/contract/core/hundredths';
import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { slotsWonBy } from '@drawhouse/rules/panel/shown-result';
import { useEffect, useMemo } from 'react';
import { onWalletChange } from '../lib/betting/wallet.ts';
import { onReconnect } from '../lib/server/liveConnection.ts';
import { call } from '../lib/server/playerApi.ts';
import { routes } from '../lib/server/playerRoutes.ts';
import { invalidate, useQuery, useRetry } from '../lib/server/useQuery.ts';
import type { PendingBet } from './placing/pendingBet.ts';
import type { PlayState, Settlements } from './playState.ts';

interface Payout {
  readonly staked: number;
  readonly won: number;
}

const LAST_TICKETS = 200;

/** Null: no stake. Undefined: not known yet. */
export type DrawPayout = Payout | null | undefined;

/** Uses live news, else the draw's tickets: a reloaded page has seen neither, and a correction outdates both. */
export function usePayout(
  gameId: string,
  result: DrawResult | undefined,
  settled: Settlements,
  bets: readonly PendingBet[],
): DrawPayout {
  const { drawId = '', correctedAt = null } = result ?? {};
  const live = correctedAt === null ? settled.get(drawId) : undefined;
  const hasNewBet = bets.some((bet) => bet.drawId === drawId && bet.outcome.kind === 'placed');
  const hadNone = seenTickets.get(drawId)?.length === 0 && !hasNewBet;
  const name = drawId === '' || live || hadNone ? null : `paid/${drawId}/${correctedAt}`;
  const { data } = useQuery(name, (signal) => readPayout(gameId, drawId, signal));
  useEffect(() => {
    // A large draw is corrected in pieces.
    if (name === null || correctedAt === null) return undefined;
    return onWalletChange(() => invalidate(name));
  }, [name, correctedAt]);
  return live ?? (hadNone ? null : data);
}

async function readPayout(gameId: string, drawId: string, signal: AbortSignal): Promise<DrawPayout> {
  const query = { gameId, pageSize: String(LAST_TICKETS) };
  const { data } = await call(routes.tickets, { query }, { signal, background: true });
  const own = data.filter((ticket) => ticket.drawId === drawId);
  if (own.length === 0) return null;
  if (own.some(({ winpoints }) => winpoints === null)) return undefined;
  return {
    staked: sumPoints(own.map(({ playpoints }) => playpoints)),
    won: sumPoints(own.map(({ winpoints }) => winpoints ?? 0)),
  };
}

export interface OpenStakes {
  readonly staked: number;
  readonly bets: number;
  /** Units by bet key. */
  readonly units: ReadonlyMap<string, number>;
}

const PAGE_SIZE = 500;
const seenTickets = new Map<string, readonly OpenTicket[]>();

export function ownWinners(drawn: DrawResult | undefined, rules: GameRules): ReadonlySet<string> {
  if (!drawn || !('winners' in drawn.result)) return new Set();
  const { drawId, result } = drawn;
  const { units } = stakesOf(seenTickets.get(drawId) ?? [], rules);
  return units.size === 0 ? new Set() : slotsWonBy(rules, result.winners, (key) => units.has(key));
}

/** Reads the server's answer, so all devices agree. Null: unknown, or between draws. */
export function useOpenStakes(
  { gameId, draw }: Pick<PlayState, 'gameId' | 'draw'>,
  rules: GameRules,
  own: readonly PendingBet[],
): OpenStakes | null {
  const drawId = draw?._id;
  const name = drawId === undefined ? null : `open/${drawId}`;
  const read = useQuery(name, (signal) => readOpen(gameId, drawId ?? '', signal));
  useRetry(read);
  const placed = own.filter((bet) => bet.drawId === drawId && bet.outcome.kind === 'placed').length;
  useEffect(() => {
    if (name === null) return;
    const readNow = () => invalidate(name);
    const stops = [onWalletChange(readNow), onReconnect(readNow)];
    return () => stops.forEach((stop) => stop());
  }, [name]);
  useEffect(() => {
    if (name !== null && placed > 0) invalidate(name);
  }, [name, placed]);
  const { data } = read;
  return useMemo(() => (data ? stakesOf(data, rules) : null), [data, rules]);
}

type OpenTicket = Pick<PlayerTicket, 'playpoints' | 'lines'>;

function stakesOf(tickets: readonly OpenTicket[], rules: GameRules): OpenStakes {
  const lines = tickets.flatMap((ticket) => ticket.lines);
  const units = new Map<string, number>();
  for (const { qty, ...line } of lines) {
    const parsed = rules.parseBet(line);
    if (parsed.ok) units.set(parsed.key, (units.get(parsed.key) ?? 0) + qty);
  }
  return { staked: sumPoints(tickets.map(({ playpoints }) => playpoints)), bets: lines.length, units };
}

async function readOpen(gameId: string, drawId: string, signal: AbortSignal): Promise<OpenTicket[]> {
  const found: OpenTicket[] = [];
  let before: string | null = null;
  do {
    const query: Record<string, string> = { gameId, status: 'open', pageSize: String(PAGE_SIZE) };
    if (before !== null) query['before'] = before;
    const { data, next }: { data: PlayerTicket[]; next: string | null } = await call(
      routes.tickets,
      { query },
      { signal, background: true },
    );
    found.push(...data.filter((ticket) => ticket.drawId === drawId));
    before = next;
  } while (before !== null);
  // After its draw settled, a ticket is no longer open.
  if (found.length > 0 || !seenTickets.has(drawId)) seenTickets.set(drawId, found);
  return found;
}
