import { randomUUID } from 'node:crypto';
import { playerState } from '@drawhouse/contract/draws';
import { playerGames } from '@drawhouse/contract/games';
import { placeBet } from '@drawhouse/contract/tickets';
import type { RouteAnswer, RouteInput } from '@drawhouse/contract/route';
import { CallFailed } from './client.ts';
import type { Call } from './client.ts';

type Line = RouteInput<typeof placeBet>['body']['lines'][number];
type Table = Pick<RouteAnswer<typeof playerState>, 'outcomes' | 'unitPrice'>;

/** What a player knows of a game until its draw is over. */
interface Seat extends Table {
  readonly drawId: string;
  /** By this machine's clock. */
  readonly closesAt: number;
  readonly drawsAt: number;
  readonly favourites: readonly string[];
  closed: boolean;
}

/** A person who bets now and then. */
export interface SimulatedPlayer {
  readonly username: string;
  /** Lays one bet and gives its points; 0 when there is nothing to bet on now. Throws what the call throws. */
  bet(): Promise<number>;
}

/** The families whose bets are plain numbers. */
const PLAIN_FAMILIES = ['numbers', 'roulette'];
const MAX_GAMES = 3;
const CROWDS_GAME = 'funtargetbingo';
/** People stop in time: from here to the close they bet less and less, and not in the last moment. */
const QUIET_MS = 8_000;
const LAST_MOMENT_MS = 1_000;
const QUANTITIES = [1, 1, 2, 2, 2, 3, 4, 5, 5, 5, 8, 10, 10, 15, 20];
const LINE_COUNTS = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4];
const LUCKY_NUMBERS = ['7', '7', '7', '3', '3', '9', '1', '8'];

/** A player that keeps to a few games and a few favourite numbers in each. */
export function simulatedPlayer(call: Call, username: string): SimulatedPlayer {
  let games: string[] = [];
  const seats = new Map<string, Seat>();

  async function chooseGames(): Promise<void> {
    const { data } = await call(playerGames, {});
    const open = data.filter(({ family }) => PLAIN_FAMILIES.includes(family)).map(({ gameId }) => gameId);
    games = pickSome(open, 1 + Math.floor(Math.random() * MAX_GAMES));
    // Half of the people play the crowd's game too, so that one panel is busier than the others.
    if (open.includes(CROWDS_GAME) && Math.random() < 0.5) games = [...new Set([CROWDS_GAME, ...games])];
  }

  async function sitDown(gameId: string): Promise<Seat | undefined> {
    const seat = seats.get(gameId);
    if (seat && Date.now() < seat.drawsAt) return seat;
    const state = await call(playerState, { query: { gameId } });
    if (!state.draw) return undefined;
    const aheadMs = Date.parse(state.serverTime) - Date.now();
    const next: Seat = {
      drawId: state.draw._id,
      closesAt: Date.parse(state.draw.closesAt) - aheadMs,
      drawsAt: Date.parse(state.draw.drawsAt) - aheadMs,
      favourites: seat?.favourites ?? favouritesOf(state),
      outcomes: state.outcomes,
      unitPrice: state.unitPrice,
      closed: state.draw.status !== 'open',
    };
    seats.set(gameId, next);
    return next;
  }

  return {
    username,
    async bet() {
      if (games.length === 0) await chooseGames();
      const gameId = pick(games);
      if (gameId === undefined) return 0;
      try {
        const seat = await sitDown(gameId);
        if (!seat || seat.closed || isTooLate(seat)) return 0;
        const body = { gameId, drawId: seat.drawId, requestId: randomUUID(), lines: linesFor(seat) };
        const { ticket } = await call(placeBet, { body });
        return ticket.playpoints;
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        if (error.code === 'GAME_UNAVAILABLE') games = [];
        else if (error.code === 'BETTING_CLOSED') closeSeat(seats.get(gameId));
        else throw error;
        return 0;
      }
    },
  };
}

function closeSeat(seat: Seat | undefined): void {
  if (seat) seat.closed = true;
}

function isTooLate({ closesAt }: Seat): boolean {
  const leftMs = closesAt - Date.now() - LAST_MOMENT_MS;
  return Math.random() > leftMs / QUIET_MS;
}

function favouritesOf({ outcomes }: Table): string[] {
  const drawnos = outcomes.map(({ drawno }) => drawno);
  const lucky = pick(LUCKY_NUMBERS.filter((number) => drawnos.includes(number)));
  return [...(lucky ? [lucky] : []), ...pickSome(drawnos, 2)];
}

function linesFor({ outcomes, favourites, unitPrice }: Seat): Line[] {
  const drawnos = new Set<string>();
  for (let count = pick(LINE_COUNTS)!; count > 0; count--) {
    const liked = Math.random() < 0.7 ? pick(favourites) : undefined;
    drawnos.add(liked ?? pick(outcomes)!.drawno);
  }
  return [...drawnos].map((drawno) => ({ drawno, qty: Math.max(1, Math.round(pick(QUANTITIES)! / unitPrice)) }));
}

/** One of these by chance, or none of none. */
export function pick<T>(choices: readonly T[]): T | undefined {
  return choices[Math.floor(Math.random() * choices.length)];
}

function pickSome<T>(choices: readonly T[], count: number): T[] {
  const left = [...choices];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(Math.random() * left.length), 1)[0]!,
  );
}
