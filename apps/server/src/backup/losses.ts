import type { BackupLosses } from '@drawhouse/contract/backup/backups';
import type { Change } from '@drawhouse/contract/activity/activity';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { changeOf } from '../activity/changes.ts';
import type { Queryable } from '../db/database.ts';
import { leastIdAt } from '../db/uuid7.ts';
import { IN_MASSES } from '../ledger/movement-kinds.ts';
import type { WholeBackup } from './backup-folders.ts';
import { readRows } from './read-rows.ts';
import type { RowReading } from './read-rows.ts';

/** Draws of a backup in these states are void when it is restored; one that was being paid is paid on. */
const UNFINISHED: ReadonlySet<string> = new Set(['open', 'closed', 'drawn']);

/** The columns that are read of a backup. */
const READ = { draws: ['status'], accounts: ['id', 'username', 'role'] } as const;

/** What restoring a backup of a network would undo. Reads of it the draws and the accounts. Throws as {@link readRows} does. */
export async function readLosses(
  on: Queryable,
  networkId: number,
  backup: WholeBackup,
  reading: RowReading,
): Promise<BackupLosses> {
  const { takenAt, log } = backup.manifest;
  const [logged] = await on.query<{ changes: number }>(
    `select count(*)::float8 as changes from activity where network_id = $1 and seq > $2 and chain <> '{}'`,
    [networkId, log.seq],
  );
  const lost = { ...(await countSince(on, networkId, new Date(takenAt))), ...logged! };
  let openDraws = 0;
  await readRows(backup, { table: 'draws', names: READ.draws }, reading, async (rows) => {
    openDraws += rows.filter(({ status }) => UNFINISHED.has(status)).length;
  });
  const namesTaken: BackupLosses['namesTaken'] = [];
  const accounts = { table: 'accounts', names: READ.accounts };
  await readRows(backup, accounts, reading, async (rows) => {
    const byName = new Map(rows.map((row) => [row.username.toLowerCase(), row]));
    const others = await on.query<{ name: string }>(
      `select b.name from unnest($2::text[], $3::uuid[]) as b (name, id) join accounts a on lower(a.username) = b.name and a.id <> b.id
       where a.network_id <> $1 or exists (select from accounts l where l.network_id = $1 and l.id = b.id)`,
      [networkId, [...byName.keys()], [...byName.values()].map(({ id }) => id)],
    );
    for (const { name } of others) {
      const { username, role } = byName.get(name)!;
      namesTaken.push({ username, role: role as Role });
    }
  });
  return { takenAt, lost, openDraws, namesTaken };
}

/** Counts what a network has had since an instant. */
async function countSince(
  on: Queryable,
  networkId: number,
  since: Date,
): Promise<Omit<BackupLosses['lost'], 'changes'>> {
  const [counts] = await on.query<{ tickets: number; transfers: number; accounts: number }>(
    `select (select count(*) from tickets where network_id = $1 and id >= $2)::float8 as tickets,
            (select count(*) from transfers where network_id = $1 and at > $3 and kind not in ${IN_MASSES})::float8 as transfers,
            (select count(*) from accounts where network_id = $1 and created_at > $3)::float8 as accounts`,
    [networkId, leastIdAt(new Date(since.getTime() + 1)), since],
  );
  return counts!;
}

/** What goes from a network that is put back to an instant, for the log. */
export async function changesSince(on: Queryable, networkId: number, since: Date): Promise<Change[]> {
  const { tickets, transfers, accounts } = await countSince(on, networkId, since);
  return [
    ...changeOf('Tickets undone', `${tickets}`, null),
    ...changeOf('Transfers undone', `${transfers}`, null),
    ...changeOf('Accounts undone', `${accounts}`, null),
  ];
}
