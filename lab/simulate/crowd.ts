import { CallFailed, messageOf, pause } from '../../tools/demo/client.ts';
import { type Crowd, newCrowd, reportOnce, type Simulation, sinceStartMs } from './crowd-state.ts';
import { enter, newPlayer, type Player, wouldBet } from './player.ts';
import type { Tally } from './tally.ts';
import { pick } from './ready-bets.ts';
import type { Answer } from './http-wire.ts';
import { NotLetIn } from './socket-wire.ts';

const LINE_COUNTS = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4];
const RETRYABLE = new Set(['LIMIT_REACHED', 'BETTING_CLOSED']);

function placeBet(crowd: Crowd, dueMs: number): boolean {
  const { simulation, tally, players, clock } = crowd;
  const { games, idle } = players;
  const player = takeOne(idle);
  const now = Date.now();
  const gameId = pick(player.games.filter((game) => wouldBet(player, games.get(game), now)));
  if (gameId === undefined) {
    // A closed loop has no schedule.
    if (simulation.rate !== Infinity) tally.skip(sinceStartMs(clock), 'closed');
    idle.push(player);
    return false;
  }
  const known = games.get(gameId)!;
  let favourites = player.favourites.get(gameId);
  if (!favourites) player.favourites.set(gameId, (favourites = known.favourites()));
  const { body, points } = known.bet(favourites, simulation.lines ?? pick(LINE_COUNTS)!);
  clock.sent();
  simulation.wire.bet(player, body, (answer) => {
    clock.answered();
    if (answer.accepted) {
      tally.accept(sinceStartMs(clock), performance.now() - dueMs, points);
      idle.push(player);
    } else {
      tally.refuse(sinceStartMs(clock), answer.code);
      afterRefusal(crowd, player, gameId, answer);
    }
    clock.wake();
  });
  return true;
}

function afterRefusal(crowd: Crowd, player: Player, gameId: string, { code, status, retryAfterMs }: Answer): void {
  const { idle, games } = crowd.players;
  if (RETRYABLE.has(code)) {
    if (code === 'BETTING_CLOSED') player.closedUntilMs.set(gameId, games.get(gameId)!.drawsAtMs);
    idle.push(player);
  } else if (code === 'INSUFFICIENT_CREDIT') getCredit(crowd, player);
  else if (code === 'GAME_UNAVAILABLE') {
    player.games = player.games.filter((game) => game !== gameId);
    if (player.games.length > 0) idle.push(player);
    else signInAgain(crowd, player, AWAY_MS.broke);
  } else if (SESSION_ENDS.has(code) || code === 'NO_RESPONSE') {
    if (code !== 'NO_RESPONSE') player.call.forget();
    signInAgain(crowd, player, AWAY_MS.busy);
  } else {
    const busy = status === 503 || status === 429 || code === 'NOT_READY' || code === 'THROTTLED';
    if (!busy) reportOnce(crowd, player.username, code, `The server answered ${code}.`);
    stayAway(crowd, player, retryAfterMs ?? (busy ? AWAY_MS.busy : AWAY_MS.other));
  }
}

function getCredit(crowd: Crowd, player: Player): void {
  const { simulation, tally, players } = crowd;
  if (!simulation.topUp) {
    stayAway(crowd, player, AWAY_MS.broke);
    return;
  }
  void simulation.topUp(player.username).then(
    () => {
      tally.topUps++;
      players.idle.push(player);
    },
    (error: unknown) => {
      reportOnce(crowd, player.username, 'TOP_UP', messageOf(error));
      stayAway(crowd, player, AWAY_MS.broke);
    },
  );
}

function stayAway(crowd: Crowd, player: Player, forMs: number): void {
  setTimeout(() => {
    crowd.players.idle.push(player);
    crowd.clock.wake();
  }, forMs).unref();
}

function takeOne(idle: Player[]): Player {
  const index = Math.floor(Math.random() * idle.length);
  const player = idle[index]!;
  idle[index] = idle.at(-1)!;
  idle.pop();
  return player;
}

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

/** Drops bets delayed longer than this. Players with a longer sign-in wait rejoin later. */
const PATIENCE_MS = 10_000;
/** Pauses by reason: no credit, refused sign-in, other errors, busy server. */
const AWAY_MS = { broke: 60_000, refused: 4 * 60_000, other: 10_000, busy: 1_000 } as const;
const SESSION_ENDS: ReadonlySet<string> = new Set(['SESSION_ENDED', 'SESSION_REPLACED']);

async function signInPlayer(crowd: Crowd, player: Player): Promise<void> {
  const { simulation, players, clock, enterInTurn } = crowd;
  const { games, idle } = players;
  const { wire, signal, together } = simulation;
  const untilMs = together && clock.startMs === Infinity ? crowd.letInUntilMs : clock.endMs;
  while (!signal.aborted && performance.now() < untilMs) {
    try {
      await enterInTurn(() => enter(player, { wire, choice: simulation, games }));
      if (player.games.length === 0) {
        reportOnce(crowd, player.username, 'NO_GAMES', 'It has none of the games that are asked for.');
        signInAgain(crowd, player, AWAY_MS.broke);
        return;
      }
      idle.push(player);
      clock.wake();
      return;
    } catch (error) {
      if (signal.aborted) return;
      const waitMs = waitAfter(crowd, player, error);
      if (waitMs > PATIENCE_MS) {
        signInAgain(crowd, player, waitMs);
        return;
      }
      await pause(waitMs, signal);
    }
  }
}

function signInAgain(crowd: Crowd, player: Player, afterMs: number): void {
  setTimeout(() => void signInPlayer(crowd, player), afterMs).unref();
}

function waitAfter(crowd: Crowd, player: Player, error: unknown): number {
  const code = error instanceof CallFailed || error instanceof NotLetIn ? error.code : 'UNEXPECTED';
  const busy = code === 'THROTTLED' || code === 'NO_RESPONSE' || code === 'NOT_READY';
  if (SESSION_ENDS.has(code)) player.call.forget();
  if (!busy) reportOnce(crowd, player.username, code, messageOf(error));
  const askedMs = error instanceof CallFailed ? error.retryAfterMs : undefined;
  return askedMs ?? (busy ? AWAY_MS.busy : AWAY_MS.refused);
}
