import { findReplicationFaults } from '../../backup/move/check-replication.ts';
import { ALIVE, createAskCell } from '../../cells/call-cell.ts';
import type { OpenDirectory } from '../../cells/directory.ts';
import { reachDirectory } from '../../cells/join-group.ts';
import type { Config } from '../../config/config.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Peer } from '../../platform/services.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { addressOf } from './check-machine.ts';
import { fault, type Finding, ok, reasonOf, warning } from './findings.ts';
import type { ReachedDatabase } from './surroundings.ts';

interface CellSurroundings {
  readonly config: Config;
  readonly clock: Clock;
  /** Calls to this cell need a server. */
  readonly isRunning: boolean;
}

/** Finds nothing outside a group. */
export async function checkCell(
  { db, address: serverUrl, ownerAddress: ownerUrl }: Pick<ReachedDatabase, 'db' | 'address' | 'ownerAddress'>,
  surroundings: CellSurroundings,
): Promise<Finding[]> {
  const directory = await reachDirectory(surroundings.config, db, { serverUrl, ownerUrl });
  if (!directory) return [];
  const unfit = (await findReplicationFaults(ownerUrl)).map(({ says, todo }) =>
    warning('cell', `Networks can’t move from or to this cell. ${says}`, todo),
  );
  try {
    const found = [...(await checkDirectory(directory, surroundings)), ...unfit];
    return found.length > 0 ? found : [ok('cell', `${directory.cell}: the directory and all cells answer.`)];
  } finally {
    await directory.close();
  }
}

async function checkDirectory(directory: OpenDirectory, surroundings: CellSurroundings): Promise<Finding[]> {
  const { cell } = directory;
  try {
    if (!(await isListed(directory)))
      return [fault('cell', `The directory lacks ${cell}.`, 'Restart the server, or run npm run group -- rebuild.')];
  } catch (error) {
    return [
      fault(
        'cell',
        `The directory of all cells can't be read: ${reasonOf(error)}.`,
        'Check DIRECTORY_URL, and that its PostgreSQL runs. Until then, no account can be created, and nobody signs in ' +
          'through another cell.',
      ),
    ];
  }
  return checkCalls(directory, surroundings);
}

/** A new directory has no tables. */
async function isListed({ db, cell }: OpenDirectory): Promise<boolean> {
  const [table] = await db.query<{ exists: boolean }>(sql`select to_regclass('cells') is not null as exists`);
  return table!.exists && (await db.query(sql`select from cells where name = ${cell}`)).length > 0;
}

async function checkCalls(
  directory: OpenDirectory,
  { config, clock, isRunning }: CellSurroundings,
): Promise<Finding[]> {
  const ask = createAskCell({ clock, directory });
  const unanswered = (peer: Pick<Peer, 'cell' | 'address' | 'secret'>): Promise<string | undefined> =>
    ask({ firstNetwork: 0, networks: [], ...peer }, ALIVE).then(
      () => undefined,
      (error: unknown) => reasonOf(error),
    );
  const found: Finding[] = [];
  const [secret, own] = [await directory.ownSecret(), config.cellUrl ?? addressOf(config)];
  const wrong = isRunning && secret !== undefined && (await unanswered({ cell: directory.cell, address: own, secret }));
  if (wrong)
    found.push(
      fault(
        'cell',
        `${directory.cell} does not answer at ${own}: ${wrong}.`,
        'Set CELL_URL to the address where the other cells reach this one.',
      ),
    );
  for (const peer of await directory.peers()) {
    const reason = await unanswered(peer);
    if (reason !== undefined)
      found.push(
        warning(
          'cell',
          `${peer.cell} does not answer: ${reason}.`,
          'Start its server, or check its CELL_URL and the network between.',
        ),
      );
  }
  return found;
}
