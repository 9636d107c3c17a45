import { IN_MASSES } from '@drawhouse/rules/records/ledger-kinds';
import type { BackupLosses } from '@drawhouse/contract/backup/backups';
import type { Change } from '@drawhouse/contract/activity/activity';
import type { Role } from '@drawhouse/contract/core/primitives';
import { changeOf } from '../../activity/append-activity.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { leastIdAt } from '../../platform/db/sql/uuids.ts';
import type { CompleteBackup } from '../keep/backup-folders.ts';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { BackupDamaged, fileNameOf } from '../take/archive/manifest.ts';
import { unreadable } from '../take/measure-stream.ts';
import { streamOf } from '../take/archive/plain-file.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { DAMAGE } from '../backup-texts.ts';

/** A restore voids these. Settling draws continue. */
const UNFINISHED: ReadonlySet<string> = new Set(['open', 'closed', 'drawn']);

const READ = { draws: ['status'], accounts: ['id', 'username', 'role'] } as const;

export async function readLosses(
  on: Queryable,
  networkId: number,
  backup: CompleteBackup,
  reading: RowReading,
): Promise<BackupLosses> {
  const { takenAt, log } = backup.manifest;
  const [logged] = await on.query<{ changes: number }>(
    sql`select count(*)::float8 as changes from activity where network_id = ${networkId} and seq > ${log.seq} and chain <> '{}'`,
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
      sql`select b.name from unnest(${[...byName.keys()]}::text[], ${[...byName.values()].map(({ id }) => id)}::uuid[]) as b
        (name, id) join accounts a on lower(a.username) = b.name and a.id <> b.id
       where a.network_id <> ${networkId} or exists (select from accounts l where l.network_id = ${networkId} and l.id = b.id)`,
    );
    for (const { name } of others) {
      const { username, role } = byName.get(name)!;
      namesTaken.push({ username, role: role as Role });
    }
  });
  return { takenAt, lost, openDraws, kept: await countKept(on, networkId, new Date(takenAt)), namesTaken };
}

async function countSince(
  on: Queryable,
  networkId: number,
  since: Date,
): Promise<Omit<BackupLosses['lost'], 'changes'>> {
  const [counts] = await on.query<{ tickets: number; transfers: number; accounts: number; orders: number }>(
    sql`select (select count(*) from tickets
      where network_id = ${networkId} and id >= ${leastIdAt(new Date(since.getTime() + 1))})::float8 as tickets,
            (select count(*) from transfers
              where network_id = ${networkId} and at > ${since} and kind not in ${sql.raw(IN_MASSES)})::float8 as transfers,
            (select count(*) from accounts where network_id = ${networkId} and created_at > ${since})::float8 as accounts,
            (select count(*) from standing_orders
              where network_id = ${networkId} and at > ${since} and ended_at is null)::float8 as orders`,
  );
  return counts!;
}

async function countKept(on: Queryable, networkId: number, since: Date): Promise<BackupLosses['kept']> {
  const [counts] = await on.query<BackupLosses['kept'] & Record<string, unknown>>(
    sql`with added as (select id from accounts where network_id = ${networkId} and created_at > ${since})
      select (select count(*) from week_payments where network_id = ${networkId} and at > ${since}
          and account_id not in (select id from added))::float8 as payments,
        (select count(*) from week_closings where network_id = ${networkId} and at > ${since}
          and account_id not in (select id from added))::float8 as weeks`,
  );
  return counts!;
}

export async function describeLosses(on: Queryable, networkId: number, since: Date): Promise<Change[]> {
  const { tickets, transfers, accounts, orders } = await countSince(on, networkId, since);
  return [
    ...changeOf('Tickets undone', `${tickets}`, null),
    ...changeOf('Transfers undone', `${transfers}`, null),
    ...changeOf('Accounts undone', `${accounts}`, null),
    ...changeOf('Standing orders ended', orders === 0 ? null : `${orders}`, null),
  ];
}

const MAX_ROW_CHARS = 1e6;

interface RowReading {
  readonly open: () => Duplex;
  readonly signal: AbortSignal;
}

/** Only for columns without backslashes in COPY text. */
async function readRows<Name extends string>(
  { folder, manifest }: CompleteBackup,
  { table, names }: { readonly table: string; readonly names: readonly Name[] },
  { open, signal }: RowReading,
  take: (rows: readonly Readonly<Record<Name, string>>[]) => Promise<void>,
): Promise<void> {
  const name = fileNameOf(table, manifest);
  const columns = manifest.files.find((file) => file.table === table)!.columns;
  const at = names.map((column) => columns.indexOf(column));
  const toRow = (line: string): Record<Name, string> => {
    const values = line.split('\t');
    if (values.length !== columns.length || line.includes('\0')) throw new Error(DAMAGE.invalidRow);
    return Object.fromEntries(names.map((column, index) => [column, values[at[index]!]!])) as Record<Name, string>;
  };
  let failure: { readonly error: unknown } | undefined;
  try {
    await pipeline(
      streamOf(path.join(folder, name)),
      open(),
      createZstdDecompress(),
      async (content: AsyncIterable<Buffer>) => {
        const decoder = new TextDecoder('utf-8', { fatal: true });
        let rest = '';
        for await (const chunk of content) {
          const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
          rest = lines.pop()!;
          if (rest.length > MAX_ROW_CHARS) throw new Error(DAMAGE.unterminatedRow);
          if (lines.length === 0) continue;
          const rows = lines.map(toRow);
          await take(rows).catch((error: unknown) => {
            failure = { error };
            throw error;
          });
        }
      },
      { signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (failure) throw failure.error;
    throw new BackupDamaged(DAMAGE.ofFile(name, unreadable(error as Error)), { cause: error });
  }
}
