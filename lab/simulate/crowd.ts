import { sinceStartMs, newCrowd } from './crowd-state.ts';
import { signInPlayer, PATIENCE_MS } from './sign-in-player.ts';
import type { Crowd, Simulation } from './crowd-state.ts';
import { placeBet } from './place-bet.ts';
import { newPlayer } from './player.ts';
import type { Tally } from './tally.ts';

/** Bets per turn of the event loop. */
const AT_ONCE = 500;

/** Waits for pending answers at the end. Updates `tally` meanwhile. */
export async function simulate(simulation: Simulation, tally: Tally): Promise<void> {
  const { call, seconds, signal, together, begins } = simulation;
  const crowd = newCrowd(simulation, tally);
  const players = simulation.players.map((entrant) => newPlayer(call, entrant));
  const entering = Promise.all(players.map((player) => signInPlayer(crowd, player)));
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

interface Demand {
  nextMs(): number;
  take(): number;
  /** Bets due before then, for which no player was free. */
  skip(beforeMs: number): void;
}

/** Demands scheduled bets, or one per free player in a closed loop. */
function demandOf({ simulation, tally, clock }: Crowd): Demand {
  const { startMs } = clock;
  // A closed loop has no overdue bets.
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
        if (clock.inProgress === 0) resolve();
      } else if (!scheduled && demand.nextMs() <= performance.now()) {
        scheduled = true;
        setImmediate(go);
      }
    });
    signal.addEventListener('abort', () => setImmediate(go), { once: true });
    go();
  });
}

function layDue(crowd: Crowd, demand: Demand, now: number): number {
  const { simulation, players, clock } = crowd;
  const { idle } = players;
  const { wire, rate } = simulation;
  let tries = 0;
  let closed = false;
  while (demand.nextMs() <= now && idle.length > 0 && wire.free && tries < AT_ONCE && !closed) {
    closed = !placeBet(crowd, demand.take()) && rate === Infinity;
    tries++;
  }
  if (tries >= AT_ONCE) return 0;
  const isBusy = closed || idle.length === 0 || !wire.free;
  const waitMs = isBusy ? 50 : Math.max(1, demand.nextMs() - performance.now());
  return Math.max(0, Math.min(waitMs, clock.endMs - performance.now(), 200));
}

/** Lazy, so a backlog takes no memory. */
interface Arrivals {
  readonly nextMs: number;
  take(): number;
}

/** Poisson arrivals: people neither wait for each other nor bet in step. `random`: in [0, 1). */
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
