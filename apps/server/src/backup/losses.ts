import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type { BackupLosses } from '@drawhouse/contract/backup/backups';
import type { Role } from '@drawhouse/contract/frame/primitives';
import type { Queryable } from '../db/database.ts';
import { leastIdAt } from '../db/uuid7.ts';
import { IN_MASSES } from '../ledger/movement-kinds.ts';
import { BackupDamaged } from './backup-damaged.ts';
import { fileNameOf } from './manifest.ts';
import type { WholeBackup } from './backup-folders.ts';
import { unreadable } from './measure.ts';

/** Draws of a backup in these states are void when it is restored. */
const UNFINISHED: ReadonlySet<string> = new Set(['open', 'closed', 'drawn']);

/**
 * What restoring a backup of a network would undo. Reads of it the draws and the accounts; throws {@link BackupDamaged} where these can't be read, and
 * the reason of the signal.
 */
export async function readLosses(
  on: Queryable,
  networkId: number,
  backup: WholeBackup,
  { open, signal }: { readonly open: () => Duplex; readonly signal: AbortSignal },
): Promise<BackupLosses> {
  const { takenAt, log } = backup.manifest;
  const [lost] = await on.query<{ tickets: number; transfers: number; accounts: number; changes: number }>(
    `select (select count(*) from tickets where network_id = $1 and id >= $2)::float8 as tickets,
            (select count(*) from transfers where network_id = $1 and at > $3 and kind not in ${IN_MASSES})::float8 as transfers,
            (select count(*) from accounts where network_id = $1 and created_at > $3)::float8 as accounts,
            (select count(*) from activity where network_id = $1 and seq > $4 and chain <> '{}')::float8 as changes`,
    [networkId, leastIdAt(new Date(Date.parse(takenAt) + 1)), takenAt, log.seq],
  );
  let openDraws = 0;
  for await (const { status } of rowsOf(backup, 'draws', ['status'], open, signal))
    if (UNFINISHED.has(status!)) openDraws++;
  const names = new Map<string, { readonly id: string; readonly username: string; readonly role: Role }>();
  for await (const { id, username, role } of rowsOf(backup, 'accounts', ['id', 'username', 'role'], open, signal))
    names.set(username!.toLowerCase(), { id: id!, username: username!, role: role as Role });
  const taken = await on.query<{ name: string; id: string }>(
    'select lower(username) as name, id from accounts where network_id <> $1 and lower(username) = any($2::text[])',
    [networkId, [...names.keys()]],
  );
  return {
    takenAt,
    lost: lost!,
    openDraws,
    namesTaken: taken
      .filter(({ name, id }) => names.get(name)!.id !== id)
      .map(({ name }) => ({ username: names.get(name)!.username, role: names.get(name)!.role })),
  };
}

/** Some columns of the rows of a table in a backup, none of which has a backslash in it, as PostgreSQL writes them. */
async function* rowsOf<Name extends string>(
  { folder, manifest }: WholeBackup,
  table: string,
  names: readonly Name[],
  open: () => Duplex,
  signal: AbortSignal,
): AsyncGenerator<Partial<Record<Name, string>>> {
  const columns = manifest.files.find((file) => file.table === table)?.columns ?? [];
  const at = names.map((name) => columns.indexOf(name));
  const fileName = fileNameOf(table, manifest);
  const content = createZstdDecompress();
  const read = pipeline(createReadStream(path.join(folder, fileName)), open(), content, { signal });
  read.catch(() => {});
  try {
    for await (const line of createInterface({ input: content })) {
      const values = line.split('\t');
      yield Object.fromEntries(names.map((name, index) => [name, values[at[index]!]])) as Partial<Record<Name, string>>;
    }
    await read;
  } catch (error) {
    signal.throwIfAborted();
    throw new BackupDamaged(`${fileName} ${unreadable(error as Error)}`, { cause: error });
  }
}
