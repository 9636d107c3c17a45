import { pointsText } from '@drawhouse/contract/core/primitives';
import { ALIVE, createAskCell } from '../cells/call-cell.ts';
import { ADMIN_NAME, type OpenDirectory } from '../cells/directory.ts';
import { isFirstCell } from '../cells/other-cell.ts';
import { compareRepeatedly, readGroupBooks } from '../credit/across/compare-books.ts';
import { findSent } from '../credit/across/messages.ts';
import type { Database } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { Clock } from '../platform/time/clock.ts';

interface Remaining {
  readonly directory: OpenDirectory;
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Removes a cell that is gone for good from the directory. Its books are lost with it, so the audit of the group counts
 * for it what the books of the others lack. Returns that.
 */
export async function removeCell({ directory, db, clock }: Remaining, name: string): Promise<bigint> {
  if (name === directory.cell) throw new Error(`This is ${name}. Run the command with the settings of another cell.`);
  const all = await directory.peers();
  const peer = all.find(({ cell }) => cell === name);
  if (!peer) throw new Error(`The group has no cell ${name}.`);
  if (isFirstCell(peer))
    throw new Error(
      `${name} is the first cell: it issues the credit and has the games of all. Restore it from a backup.`,
    );
  const askCell = createAskCell({ clock, directory });
  const answers = await askCell(peer, ALIVE).then(
    () => true,
    () => false,
  );
  if (answers) throw new Error(`${name} answers. Move its networks away, and stop its server first.`);
  const [unsettled] = await findSent(db, sql`cell = ${name} and (settled_at is null or failure is not null)`);
  if (unsettled)
    throw new Error(
      `${pointsText(unsettled.amount)} points for ${unsettled.username} in ${name} are not settled. ` +
        `End the message first: npm run group -- end ${unsettled.id}`,
    );
  const others = all.filter(({ cell }) => cell !== name);
  const { excess } = await compareRepeatedly(
    () => readGroupBooks({ directory: { ...directory, peers: () => Promise.resolve(others) }, db }, askCell),
    await booksOfRemoved(directory),
  );
  await forgetCell(directory, name, excess);
  return excess;
}

export async function booksOfRemoved({ db }: Pick<OpenDirectory, 'db'>): Promise<bigint> {
  const [row] = await db.query<{ sum: bigint }>(sql`select coalesce(sum(excess), 0)::bigint as sum from removed_cells`);
  return row!.sum;
}

async function forgetCell(directory: OpenDirectory, name: string, excess: bigint): Promise<void> {
  await directory.change(async (on) => {
    const networks = await on.query<{ admin: string }>(
      sql`select admin from (select ${ADMIN_NAME} as admin from places p join cells c on c.name = p.cell
        where p.cell = ${name} and p.network <> c.installation) as living where admin <> '' order by admin`,
    );
    if (networks.length > 0)
      throw new Error(
        `The directory has networks in ${name}: ${networks.map(({ admin }) => admin).join(', ')}. ` +
          'Restore the cell from a backup, and move them to another one.',
      );
    await on.query(sql`delete from names where network in (select network from places where cell = ${name})`);
    await on.query(sql`delete from places where cell = ${name}`);
    await on.query(sql`delete from questions where cell = ${name}`);
    await on.query(sql`delete from answers where cell = ${name}`);
    await on.query(
      sql`with gone as (delete from cells where name = ${name} returning name, first_network)
        insert into removed_cells (name, first_network, excess) select name, first_network, ${excess} from gone`,
    );
  });
}
