import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { hundredthsOf } from '@drawhouse/contract/core/primitives';
import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { CallFailed, pause, newRequestId } from '../../tools/demo/client.ts';
import type { BetLog } from './load/bettor.ts';
import { isOutage } from './load/stand-client.ts';
import type { Verdict } from './crash.ts';
import { acknowledgedOf, makeLoad } from './load/torture-load.ts';
import { GAMES } from './load/torture-network.ts';
import { createSeededRandom } from './load/random.ts';
import { ServersStand } from './servers-stand.ts';
import { buildShim } from './own-postgres.ts';

const SYNC_MS = 5;
const PLAYERS = 8;
/** Per player, above the queue's limit. */
const AT_ONCE = 30;
const LAST_MS = 60_000;
const MEBIBYTE = 1024 * 1024;
/** Bounded queue plus memory that V8 retains. */
const MEMORY_MOST = 640 * MEBIBYTE;
const POLL_EVERY_MS = 200;

/**
 * Sends maximum-length bets while each fsync takes 5 ms. Excess bets must get 503 with Retry-After, memory must stay
 * bounded, and acknowledged bets must survive.
 */
export async function slowDisk(options: {
  seed: number;
  seconds: number;
  say: (line: string) => void;
  signal?: AbortSignal;
}): Promise<Verdict> {
  const { seed, seconds, say, signal } = options;
  const library = await buildShim();
  const random = createSeededRandom(seed);
  const problems: string[] = [];
  try {
    const stand = await ServersStand.start(1, { library, settings: { SHIM_SYNC_MS: String(SYNC_MS) } });
    try {
      const load = await makeLoad(stand, { networks: 1, playersEach: PLAYERS, atOnce: 1 }, random);
      const [pid] = stand.pids;
      const idle = await memoryOf(pid!);
      say(`every fsync takes ${SYNC_MS} ms; the server holds ${inMebibytes(idle)} MiB`);
      const time = AbortSignal.any([AbortSignal.timeout(seconds * 1000), ...(signal ? [signal] : [])]);
      const flooding = load.bets.flatMap((log) => Array.from({ length: AT_ONCE }, () => flood(log, time)));
      for (const each of flooding) each.catch(() => {});
      const memory: number[] = [];
      while (!time.aborted) {
        await pause(POLL_EVERY_MS, time);
        memory.push(await memoryOf(pid!));
      }
      await Promise.all(flooding);
      const most = Math.max(...memory);
      const early = Math.max(...memory.slice(0, memory.length / 2));
      if (most > MEMORY_MOST)
        problems.push(`The server held ${inMebibytes(most)} MiB, more than ${inMebibytes(MEMORY_MOST)}.`);
      const full = load.bets.reduce((sum, { outages }) => sum + (outages.get('503 NOT_READY') ?? 0), 0);
      if (full === 0)
        problems.push('The queue was never full: this machine takes all of this load, and proves nothing.');
      if (acknowledgedOf(load.bets) === 0) problems.push('No bet was acknowledged.');
      problems.push(...(await load.check()));
      const peaks = `${inMebibytes(early)} MiB at most in the first half, ${inMebibytes(most)} in all`;
      return { problems, summary: `${load.summary()}; memory of the server: ${peaks}` };
    } finally {
      await stand.stop();
    }
  } finally {
    await rm(path.dirname(library), { recursive: true, force: true });
  }
}

/** Bets in sequence. Gives up on refused bets, which must leave no ticket. */
async function flood(log: BetLog, signal: AbortSignal): Promise<void> {
  const game = GAMES[0]!;
  const lines = Array.from({ length: TICKET_LIMITS.lines }, (_, at) => ({
    drawno: game.drawnos[at % game.drawnos.length]!,
    qty: 1,
  }));
  let until = Infinity;
  signal.addEventListener('abort', () => (until = performance.now() + LAST_MS));
  while (!signal.aborted) {
    const body = { gameId: game.gameId, requestId: newRequestId(), lines };
    let isOpen = false;
    for (let isDecided = false; !isDecided;) {
      isDecided = true;
      try {
        const { ticket } = await log.player.call(placeBet, { body });
        const stake = hundredthsOf(ticket.playpoints)!;
        log.acknowledged.push({ ticketId: ticket._id, drawId: ticket.drawId, game, lines, stake });
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        const counts = isOutage(error) ? log.outages : log.refused;
        const name = error.status === 503 ? `503 ${error.code}` : error.status === 0 ? 'no answer' : error.code;
        counts.set(name, (counts.get(name) ?? 0) + 1);
        if (error.status >= 500 && (error.status !== 503 || error.retryAfterMs === undefined))
          log.problems.push(`A bet was answered by ${error.status} ${error.code} without a time to come again.`);
        // The outcome stays unknown until a rule or ticket tells; a later busy answer does not decide it.
        isOpen ||= error.status === 0 || error.code === 'OUTCOME_UNKNOWN';
        isDecided = !isOpen || !isOutage(error);
        if (!isDecided && performance.now() > until) {
          log.problems.push(`A bet of ${log.player.username} got no answer.`);
          return;
        }
        // Retries immediately, unlike a good client.
        await pause(POLL_EVERY_MS);
      }
    }
  }
}

async function memoryOf(pid: number): Promise<number> {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

function inMebibytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(0);
}
