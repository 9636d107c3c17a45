import { systemClock } from '../../../apps/server/src/platform/time/clock.ts';
import { createUuid7 } from '../../../apps/server/src/platform/db/sql/uuids.ts';
import { connect } from '../../../tools/demo/client.ts';
import { simulate } from '../../simulate/crowd.ts';
import type { Simulation } from '../../simulate/crowd-state.ts';
import { createHttpLines, createHttpWire, type Wire } from '../../simulate/http-wire.ts';
import type { Entrant } from '../../simulate/player.ts';
import { Tally } from '../../simulate/tally.ts';

const CALLS = 16;

/** Time-ordered ids, like the product's clients. */
const newRequestId = createUuid7(systemClock);

export interface Loaded {
  readonly tally: Tally;
  readonly seconds: number;
  readonly processor: number;
}

export async function load(
  url: string,
  wire: Wire,
  players: readonly Entrant[],
  options: Pick<Simulation, 'rate' | 'seconds' | 'games' | 'begins'> & { signal?: AbortSignal; tally?: Tally },
): Promise<Loaded> {
  const signal = options.signal ?? new AbortController().signal;
  const { tally = new Tally() } = options;
  let from = performance.now();
  let used = process.cpuUsage();
  const { call } = connect(url, CALLS, new AbortController().signal);
  const onStart = (): void => {
    from = performance.now();
    used = process.cpuUsage();
  };
  await simulate({ ...options, wire, call, players, signal, lines: 1, together: true, onStart }, tally);
  wire.close();
  const { user, system } = process.cpuUsage(used);
  const seconds = (performance.now() - from) / 1000;
  return { tally, seconds, processor: (user + system) / 1e6 / seconds };
}

/** Runs a closed loop: each connection bets again after its answer. */
export function hurried(
  url: string,
  players: readonly Entrant[],
  connections: number,
  seconds: number,
  games: readonly string[],
): Promise<Loaded> {
  return load(url, createHttpWire(url, connections), players.slice(0, connections), { rate: Infinity, seconds, games });
}

export function rateOf({ tally, seconds }: Loaded): number {
  if (tally.refusals > 0) throw new Error(`Bets were refused: ${JSON.stringify([...tally.refused])}.`);
  return tally.accepted / seconds;
}

/** Counts tickets per second in a closed loop. */
export async function bulkRate(
  url: string,
  callers: readonly BulkCaller[],
  { connections, seconds, size, game }: { connections: number; seconds: number; size: number; game: string },
): Promise<number> {
  const lines = createHttpLines(url, connections);
  const from = performance.now();
  const untilMs = from + seconds * 1000;
  let answered = 0;
  await new Promise<void>((resolve, reject) => {
    let open = connections;
    const ask = (nth: number): void => {
      const { token, players } = callers[nth % callers.length]!;
      const head = `POST /api/app/bets HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`;
      lines.ask(head, bulkBody(size, game, players), ({ status, body }) => {
        if (status !== 200 || body.includes('"success":false'))
          return reject(new Error(`Many bets were answered ${status}: ${body.toString('utf8', 0, 500)}`));
        answered += size;
        if (performance.now() < untilMs) ask(nth);
        else if (--open === 0) resolve();
      });
    };
    for (let nth = 0; nth < connections; nth++) ask(nth);
  });
  lines.close();
  return (answered * 1000) / (performance.now() - from);
}

export interface BulkCaller {
  readonly token: string;
  readonly players?: readonly string[];
}

function bulkBody(size: number, game: string, players: readonly string[] | undefined): string {
  const bets: string[] = [];
  for (let nth = 0; nth < size; nth++) {
    const player = players ? `"player":"${players[Math.floor(Math.random() * players.length)]}",` : '';
    const drawno = Math.floor(Math.random() * 10);
    bets.push(`{${player}"gameId":"${game}","requestId":"${newRequestId()}","lines":[{"drawno":"${drawno}","qty":1}]}`);
  }
  return `{"bets":[${bets.join(',')}]}`;
}

/** Ceiling of web server and generator. */
export async function emptyCalls(url: string, connections: number, seconds: number): Promise<number> {
  const lines = createHttpLines(url, connections);
  const from = performance.now();
  const untilMs = from + seconds * 1000;
  let answered = 0;
  await new Promise<void>((resolve, reject) => {
    let open = connections;
    const next = (): void => {
      if (performance.now() < untilMs) ask();
      else if (--open === 0) resolve();
    };
    const ask = (): void =>
      lines.ask('GET /healthz HTTP/1.1', '', ({ status }) => {
        if (status !== 200) return reject(new Error(`/healthz answered ${status}.`));
        answered++;
        next();
      });
    for (let line = 0; line < connections; line++) ask();
  });
  lines.close();
  return (answered * 1000) / (performance.now() - from);
}
