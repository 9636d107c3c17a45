import { sinceStartMs } from './bet-clock.ts';
import { comeIn, PATIENCE_MS } from './come-in.ts';
import { newCrowd } from './crowd-state.ts';
import type { Crowd, Simulation } from './crowd-state.ts';
import { layBet } from './lay-bet.ts';
import { newPlayer } from './player.ts';
import type { Tally } from './tally.ts';

/** The bets of one go: then the answers are heard. */
const AT_ONCE = 500;

/** Lets the players bet until the time is over or the signal comes, and those who are at it get their answer; `tally` counts along. */
export async function simulate(simulation: Simulation, tally: Tally): Promise<void> {
  const { call, seconds, signal, together, begins } = simulation;
  const crowd = newCrowd(simulation, tally);
  const players = simulation.players.map((entrant) => newPlayer(call, entrant));
  const entering = Promise.all(players.map((player) => comeIn(crowd, player)));
  if (together) {
    await entering;
    await begins;
  }
  if (signal.aborted) return;
  if (together && crowd.players.idle.length === 0) throw new Error('No player can bet, for the reasons above.');
  crowd.clock.start(seconds);
  simulation.onStart?.();
  await bet(crowd);
}

/** When bets are due. */
interface Demand {
  nextMs(): number;
  take(): number;
  /** Leaves those out that were due before a time: nobody was free. */
  skip(beforeMs: number): void;
}

/** The bets that are due by the clock, or, as fast as they can be, one whenever a player is free. */
function demandOf({ simulation, tally, clock }: Crowd): Demand {
  const { startMs } = clock;
  // A loop as fast as it can be has nothing due while nobody is free; one by the clock has, and says so.
  if (simulation.rate === Infinity) return { nextMs: () => startMs, take: () => performance.now(), skip: () => {} };
  const due = arrivals(simulation.rate, startMs);
  return {
    nextMs: () => due.nextMs,
    take: () => due.take(),
    skip(beforeMs) {
      while (due.nextMs < beforeMs) {
        due.take();
        tally.skip(sinceStartMs(clock), 'busy');
      }
    },
  };
}

/** Lays the bets as they are due, until the end or the signal; then waits for the answers. */
function bet(crowd: Crowd): Promise<void> {
  const { simulation, clock } = crowd;
  const { signal } = simulation;
  const demand = demandOf(crowd);
  return new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let scheduled = false;
    let isOver = false;
    const go = (): void => {
      scheduled = false;
      clearTimeout(timer);
      const now = performance.now();
      if (signal.aborted || now >= clock.endMs) {
        // What came due in the time and waits still is not sent.
        if (!signal.aborted) demand.skip(clock.endMs);
        isOver = true;
        clock.wake();
        return;
      }
      demand.skip(now - PATIENCE_MS);
      timer = setTimeout(go, layDue(crowd, demand, now));
    };
    clock.onWake(() => {
      if (isOver) {
        if (clock.underWay === 0) resolve();
      } else if (!scheduled && demand.nextMs() <= performance.now()) {
        scheduled = true;
        setImmediate(go);
      }
    });
    signal.addEventListener('abort', () => setImmediate(go), { once: true });
    go();
  });
}

/** Lays what is due by now, of much a first part. Gives in how many milliseconds to go on. */
function layDue(crowd: Crowd, demand: Demand, now: number): number {
  const { simulation, players, clock } = crowd;
  const { idle } = players;
  const { wire, rate } = simulation;
  let tries = 0;
  let closed = false;
  while (demand.nextMs() <= now && idle.length > 0 && wire.free && tries < AT_ONCE && !closed) {
    closed = !layBet(crowd, demand.take()) && rate === Infinity;
    tries++;
  }
  if (tries >= AT_ONCE) return 0;
  const isBusy = closed || idle.length === 0 || !wire.free;
  const waitMs = isBusy ? 50 : Math.max(1, demand.nextMs() - performance.now());
  return Math.max(0, Math.min(waitMs, clock.endMs - performance.now(), 200));
}

/** When bets are due. They are made one after the other as they are asked for, so that however many lie behind take no memory. */
interface Arrivals {
  /** When the next one is due, in the milliseconds of the start. */
  readonly nextMs: number;
  /** Takes it, and gives when it was due. */
  take(): number;
}

/**
 * Bets at random times, so many a second in the long run, whatever becomes of them: people do not wait for each other, nor bet in
 * step, so the gaps are exponential. `random` gives numbers from 0 to below 1.
 */
export function arrivals(rate: number, startMs: number, random: () => number = Math.random): Arrivals {
  const gap = (): number => (-Math.log(1 - random()) * 1000) / rate;
  let nextMs = startMs + gap();
  return {
    get nextMs() {
      return nextMs;
    },
    take() {
      const due = nextMs;
      nextMs += gap();
      return due;
    },
  };
}
