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
import { fileNameOf } from './manifest.ts';
import type { WholeBackup } from './backup-folders.ts';

/** Draws of a backup in these states are void when it is restored. */
const UNFINISHED: ReadonlySet<string> = new Set(['open', 'closed', 'drawn']);

/** What is read of a backup: these columns, without a backslash in them, as PostgreSQL writes them. */
const READ = { draws: ['status'], accounts: ['id', 'username', 'role'] } as const;
type ReadTable = keyof typeof READ;

/** Whether a backup has what {@link readLosses} reads, of whichever schema it is. A migration that gives these another meaning renames them. */
export function tellsLosses({ manifest: { files } }: WholeBackup): boolean {
  return Object.entries(READ).every(([table, names]) => {
    const columns = files.find((file) => file.table === table)?.columns ?? [];
    return names.every((name) => columns.includes(name));
  });
}

/** What restoring a backup of a network would undo. Reads of it the draws and the accounts. */
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
  for await (const { status } of rowsOf(backup, 'draws', open, signal)) if (UNFINISHED.has(status!)) openDraws++;
  const names = new Map<string, { readonly id: string; readonly username: string; readonly role: Role }>();
  for await (const { id, username, role } of rowsOf(backup, 'accounts', open, signal))
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

async function* rowsOf<Table extends ReadTable>(
  { folder, manifest }: WholeBackup,
  table: Table,
  open: () => Duplex,
  signal: AbortSignal,
): AsyncGenerator<Partial<Record<(typeof READ)[Table][number], string>>> {
  const names: readonly (typeof READ)[Table][number][] = READ[table];
  const columns = manifest.files.find((file) => file.table === table)?.columns ?? [];
  const at = names.map((name) => columns.indexOf(name));
  const content = createZstdDecompress();
  const read = pipeline(createReadStream(path.join(folder, fileNameOf(table, manifest))), open(), content, { signal });
  read.catch(() => {});
  for await (const line of createInterface({ input: content })) {
    const values = line.split('\t');
    yield Object.fromEntries(names.map((name, index) => [name, values[at[index]!]])) as Partial<
      Record<(typeof READ)[Table][number], string>
    >;
  }
  await read;
}
