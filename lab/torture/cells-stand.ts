import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCommand } from '../../apps/server/test/processes/server-process.ts';
import { pause } from '../../tools/demo/client.ts';
import { makeDataDir } from '../../apps/server/test/processes/data-dir.ts';
import { asOwner, EmbeddedStand, STAND_SETTINGS } from './stand.ts';

const COMMAND = fileURLToPath(new URL('../../apps/server/src/commands/run-network.ts', import.meta.url));
const OPEN_WITHIN_MS = 90_000;
const AGAIN_MS = 250;

export interface CellStand {
  readonly name: string;
  readonly stand: EmbeddedStand;
  readonly settings: Readonly<Record<string, string>>;
  /** The same settings, for the command. */
  readonly file: string;
}

/** Two cells on this machine. The directory is in the first one's PostgreSQL. */
export async function startCells(): Promise<readonly [CellStand, CellStand]> {
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

export function startMove(from: CellStand, to: CellStand, admin: string): ReturnType<typeof startCommand> {
  return startCommand(COMMAND, ['move', admin, '--to', to.name, '--settings', to.file], from.settings);
}

/** Open, fenced, none (perhaps with an empty network that waits for the next attempt), or the error of a PostgreSQL that is away. */
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
export async function openCellOf(cells: readonly CellStand[], admin: string): Promise<CellStand> {
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
