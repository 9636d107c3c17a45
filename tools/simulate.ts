/**
 * Simulated players who bet over the public API until they are stopped:
 *
 *   node tools/simulate.ts --url http://localhost:3000 --rate 5 --players players.txt
 *
 * `players.txt` has a username and a password per line; without it, they are the players of the demo network.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CallFailed, connect, messageOf, pause, signedIn } from './demo/client.ts';
import type { Call, Credentials } from './demo/client.ts';
import { demoPlayers } from './demo/plan.ts';
import { pick, simulatedPlayer } from './demo/player.ts';
import type { SimulatedPlayer } from './demo/player.ts';

/** How the players play. */
export interface Simulation {
  readonly call: Call;
  readonly players: readonly Credentials[];
  /** Bets per second of all together. */
  readonly rate: number;
  /** Stops them. */
  readonly signal: AbortSignal;
  /** Gives credit to a player who has too little. Without it, such a player waits for a win. */
  readonly topUp?: (username: string) => Promise<void>;
}

/** What the players did. */
export interface Tally {
  bets: number;
  points: number;
  topUps: number;
}

const IN_FLIGHT_MAX = 16;
/** How long a player stays away: without credit, when not let in, after anything else that went wrong. */
const AWAY_MS = { broke: 60_000, refused: 4 * 60_000, other: 10_000 } as const;

/** Lets the players bet until the signal comes, and those who are at it get their answer; `tally` counts along. */
export async function simulate({ call, players, rate, signal, topUp }: Simulation, tally: Tally): Promise<void> {
  const idle = new Set(players.map((player) => simulatedPlayer(signedIn(call, player), player.username)));
  const inFlight = new Set<Promise<void>>();
  const told = new Set<string>();
  let busyUntil = 0;

  /** Tells of each kind of trouble once. */
  const tell = (username: string, error: unknown): void => {
    const kind = error instanceof CallFailed ? error.code : 'UNEXPECTED';
    if (!told.has(kind)) console.error(`The player ${username} could not bet. ${messageOf(error)}`);
    told.add(kind);
  };

  /** What came of a bet that failed: how long the player stays away. */
  const handle = async (username: string, error: unknown): Promise<number> => {
    if (!(error instanceof CallFailed)) throw error;
    if (error.code === 'INSUFFICIENT_CREDIT') {
      if (!topUp) return AWAY_MS.broke;
      await topUp(username);
      tally.topUps++;
      return 0;
    }
    if (error.status === 503 || error.status === 0) {
      const waitMs = error.retryAfterMs ?? 1_000;
      busyUntil = Date.now() + waitMs;
      // By then the demo knows whether its server has ended, which is no trouble of a player.
      await pause(waitMs, signal);
      if (!signal.aborted) tell(username, error);
      return 0;
    }
    tell(username, error);
    if (error.retryAfterMs !== undefined) return error.retryAfterMs;
    return error.status === 401 || error.status === 403 ? AWAY_MS.refused : AWAY_MS.other;
  };

  const takeTurn = async (player: SimulatedPlayer): Promise<void> => {
    let awayMs = 0;
    try {
      const points = await player.bet();
      if (points > 0) tally.bets++;
      tally.points += points;
    } catch (error) {
      awayMs = await handle(player.username, error).catch((reason: unknown) => {
        if (!signal.aborted) tell(player.username, reason);
        return AWAY_MS.broke;
      });
    }
    if (awayMs > 0) setTimeout(() => idle.add(player), awayMs).unref();
    else idle.add(player);
  };

  while (!signal.aborted) {
    // Exponential gaps: people do not bet in step.
    await pause((-Math.log(1 - Math.random()) * 1000) / rate, signal);
    if (signal.aborted || inFlight.size >= IN_FLIGHT_MAX || Date.now() < busyUntil) continue;
    const player = pick([...idle]);
    if (!player) continue;
    idle.delete(player);
    const turn = takeTurn(player).finally(() => inFlight.delete(turn));
    inFlight.add(turn);
  }
  await Promise.all(inFlight);
}

function readPlayers(path: string | undefined): Credentials[] {
  if (path === undefined) return demoPlayers();
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((words): words is [string, string] => words.length === 2)
    .map(([username, password]) => ({ username, password }));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://localhost:3000' },
      players: { type: 'string' },
      rate: { type: 'string', default: '5' },
    },
  });
  const rate = Number(values.rate);
  if (!(rate > 0)) throw new Error('--rate is the number of bets per second, above 0.');
  const players = readPlayers(values.players);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());

  console.log(`${players.length} players bet ${rate} times a second at ${values.url}. Press Ctrl-C to stop.`);
  const tally = { bets: 0, points: 0, topUps: 0 };
  const { call } = connect(values.url.replace(/\/+$/, ''), IN_FLIGHT_MAX, stopping.signal);
  await simulate({ call, players, rate, signal: stopping.signal }, tally);
  console.log(`${tally.bets} bets, ${tally.points} points.`);
}

if (import.meta.main) {
  main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
