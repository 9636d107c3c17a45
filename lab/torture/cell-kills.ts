import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CELL_HEADER } from '@drawhouse/contract/core/route';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { makeNetworkOf } from '../../apps/server/test/processes/network-by-calls.ts';
import { postgresPids, startCommand } from '../../apps/server/test/processes/server-process.ts';
import { pause } from '../../tools/demo/client.ts';
import type { CrashOptions, Verdict } from './crash.ts';
import { createSeededRandom } from './load/random.ts';
import { asOwner, EmbeddedStand, signalIfAlive, STAND_SETTINGS } from './stand.ts';
import { makeDataDir } from '../../apps/server/test/processes/data-dir.ts';

const GAME = 'funtargetbingo';
const ANSWER_MS = 20_000;
const BETWEEN_BETS_MS = 40;
/** Longer than a move waits for a silent cell. */
const HANG_MS = 20_000;
const COMMAND_MS = 180_000;

const STRIKES = ['command', 'server', 'postgres', 'everything', 'hang'] as const;

/**
 * Moves a network back and forth under bets. At a random moment of each move, kills the command, or a server or the
 * PostgreSQL of either cell, or pauses that PostgreSQL. Afterwards the network must be open in one cell, and each
 * acknowledged bet must be there once.
 */
export async function cellKills({
  rounds,
  seed,
  say,
  signal,
}: Omit<CrashOptions, 'size' | 'checkEvery'>): Promise<Verdict> {
  const random = createSeededRandom(seed);
  const cells = await startCells();
  const bettor = new Bettor(cells);
  try {
    const network = await makeNetworkOf(cells[0].stand.urls()[0]!, { name: 'mover', games: [GAME], points: 100_000 });
    bettor.start(network.key, network.uniqueId);
    const admin = 'mover-admin';
    const strikes = Array.from({ length: Math.ceil(rounds / STRIKES.length) }, () => random.shuffle(STRIKES)).flat();
    let moveMs = 0;
    for (let round = 0; round <= rounds && signal?.aborted !== true; round++) {
      const from = await openCellOf(cells, admin);
      const to = cells.find((cell) => cell !== from)!;
      const startedMs = performance.now();
      const { child, ended } = startMove(from, to, admin);
      const tooLong = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS);
      const strike = round === 0 ? undefined : strikes[round - 1];
      const cell = random.pick(cells);
      if (strike) await pause(random.next() * moveMs);
      if (strike === 'command') child.kill('SIGKILL');
      else if (strike) await hit(cell, strike);
      const { output } = await ended;
      if (!strike) moveMs = performance.now() - startedMs;
      await cell.stand.recover();
      const words = { command: 'killed', undefined: 'undisturbed' }[String(strike)] ?? `${strike} of ${cell.name}`;
      say(`round ${round}: ${from.name} → ${to.name}, ${words}: ${output.trim().replaceAll('\n', ' ')}`);
      clearTimeout(tooLong);
    }
    return await bettor.judge(await openCellOf(cells, admin));
  } finally {
    await bettor.stop();
    for (const { stand } of cells.toReversed()) await stand.stop();
  }
}

async function hit(
  { stand, settings }: CellStand,
  strike: Exclude<(typeof STRIKES)[number], 'command'>,
): Promise<void> {
  if (strike !== 'hang') return void (await stand.strike(strike));
  const pids = await postgresPids(settings['DATA_DIR']!);
  for (const pid of pids) signalIfAlive(pid, 'SIGSTOP');
  await pause(HANG_MS);
  // Some processes end meanwhile.
  for (const pid of pids) signalIfAlive(pid, 'SIGCONT');
}

/** Repeats each bet by its request id until it is acknowledged, and follows the network. */
class Bettor {
  readonly #cells: readonly CellStand[];
  readonly #tickets = new Map<string, string>();
  readonly #refusals = new Map<string, number>();
  #isEnding = false;
  #done: Promise<void> | undefined;

  constructor(cells: readonly CellStand[]) {
    this.#cells = cells;
  }

  start(key: string, player: string): void {
    this.#done = this.#run(key, player);
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    await this.#done;
  }

  async #run(key: string, player: string): Promise<void> {
    let at = 0;
    for (let nth = 0; !this.#isEnding;) {
      const requestId = `kill-${nth}`;
      const bets = [{ player, gameId: GAME, requestId, lines: [{ drawno: '7', qty: 1 }] }];
      const [url] = this.#cells[at]!.stand.urls();
      const answer = await post(url, key, { bets }).catch(() => undefined);
      const [first] = answer?.body.answers ?? [];
      const refusal = answer === undefined ? 'no answer' : (first?.code ?? answer.body.code ?? String(answer.status));
      if (!first?.success) this.#refusals.set(refusal, (this.#refusals.get(refusal) ?? 0) + 1);
      if (first?.success) {
        this.#tickets.set(requestId, first.ticket._id);
        nth++;
      } else if (answer?.status === 421)
        at = Math.max(
          0,
          this.#cells.findIndex(({ name }) => name === answer.cell),
        );
      else if (answer === undefined) at = (at + 1) % this.#cells.length;
      await pause(BETWEEN_BETS_MS);
    }
  }

  async judge(cell: CellStand): Promise<Verdict> {
    await this.stop();
    const ids = [...this.#tickets.values()];
    const there = await asOwner(cell.stand, (on) =>
      on.query<{ id: string }>('select t.id from tickets t join networks n on n.id = t.network_id'),
    );
    const lost = ids.filter((id) => !there.some((ticket) => ticket.id === id));
    const problems = [
      ...(ids.length === 0 ? ['No bet was acknowledged.'] : []),
      ...(lost.length > 0 ? [`${lost.length} acknowledged bets are lost.`] : []),
      // The answer to the last bet may be missing.
      ...(there.length > ids.length + 1 ? [`${there.length - ids.length} tickets were never acknowledged.`] : []),
    ];
    for (const { name, stand } of this.#cells) {
      const { code, output } = await stand.audit();
      if (code !== 0) problems.push(`The audit of ${name} failed:\n${output}`);
    }
    const refused = [...this.#refusals].map(([code, times]) => `${times} × ${code}`).join(', ');
    return {
      problems,
      summary: `${ids.length} acknowledged bets, at last in ${cell.name}; not taken at once: ${refused}`,
    };
  }
}

interface Answer {
  readonly status: number;
  readonly cell: string | null;
  readonly body: {
    readonly code?: string;
    readonly answers?: readonly { success: boolean; code?: string; ticket: { _id: string } }[];
  };
}

async function post(url: string | undefined, key: string, body: unknown): Promise<Answer> {
  if (url === undefined) throw new Error('The server is down.');
  const response = await fetch(`${url}/api/${placeBets.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  return {
    status: response.status,
    cell: response.headers.get(CELL_HEADER),
    body: (await response.json()) as Answer['body'],
  };
}

const COMMAND = fileURLToPath(new URL('../../apps/server/src/commands/run-network.ts', import.meta.url));
const OPEN_WITHIN_MS = 90_000;
const AGAIN_MS = 250;

interface CellStand {
  readonly name: string;
  readonly stand: EmbeddedStand;
  readonly settings: Readonly<Record<string, string>>;
  /** The same settings, for the command. */
  readonly file: string;
}

/** Two cells on this machine. The directory is in the first one's PostgreSQL. */
async function startCells(): Promise<readonly [CellStand, CellStand]> {
  const folders = [await makeDataDir('cell'), await makeDataDir('cell')] as const;
  const first = await startCell('cell-1', folders[0], {});
  return [first, await startCell('cell-2', folders[1], { DIRECTORY_URL: folders[0] })];
}

async function startCell(name: string, dataDir: string, more: Readonly<Record<string, string>>): Promise<CellStand> {
  const own = { ...more, CELL_NAME: name };
  const stand = await EmbeddedStand.start(dataDir, own);
  const settings = { ...STAND_SETTINGS, ...own, DATA_DIR: dataDir };
  const file = join(dataDir, 'cell.env');
  await writeFile(
    file,
    Object.entries(settings)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  );
  return { name, stand, settings, file };
}

function startMove(from: CellStand, to: CellStand, admin: string): ReturnType<typeof startCommand> {
  return startCommand(COMMAND, ['move', admin, '--to', to.name, '--settings', to.file], from.settings);
}

/** Open, fenced, none (perhaps with an empty network that waits for the next attempt), or the error of a PostgreSQL that is down. */
async function stateIn({ stand }: CellStand, admin: string): Promise<string> {
  try {
    return await asOwner(stand, async (on) => {
      const [row] = await on.query<{ state: string }>(
        `select case when f.network_id is not null then 'fenced' when n.id is null or n.arrives then 'none' else 'open' end as state
         from (select) as one left join (networks n join accounts a on a.id = n.admin_id and a.username = $1) on true
         left join fences f on f.network_id = n.id`,
        [admin],
      );
      return row!.state;
    });
  } catch (error) {
    return (error as Error).message;
  }
}

/** Throws if the network is open in both cells, or in none for too long. */
async function openCellOf(cells: readonly CellStand[], admin: string): Promise<CellStand> {
  const until = performance.now() + OPEN_WITHIN_MS;
  for (;;) {
    const states = await Promise.all(cells.map((cell) => stateIn(cell, admin)));
    if (states.every((state) => state === 'open')) throw new Error(`${admin} is open in both cells.`);
    const isSettled = states.every((state) => state === 'open' || state === 'none');
    if (isSettled && states.includes('open')) return cells[states.indexOf('open')]!;
    if (performance.now() > until) throw new Error(`${admin} is not settled: ${states.join(', ')}.`);
    await pause(AGAIN_MS);
  }
}
