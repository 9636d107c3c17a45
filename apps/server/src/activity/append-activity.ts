import { createHash } from 'node:crypto';
import type { Change } from '@drawhouse/contract/activity';
import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import type { Origin } from '../http/handler.ts';
import { canonicalJson } from './canonical-json.ts';

/** The number of the root: superadmins and the issuance of credit. */
export const ROOT_NETWORK = 0;

/** What is to be logged. `accountId` is null for a refused sign-in with a name that nobody has. */
export interface ActivityEntry {
  readonly accountId: string | null;
  readonly username: string;
  readonly subject: string;
  readonly origin: Pick<Origin, 'url' | 'method' | 'ip'>;
  readonly detail?: Record<string, unknown> | undefined;
  readonly changes?: readonly Change[] | undefined;
}

/** A row of the log as its hash covers it. */
export interface ActivityRow {
  seq: bigint;
  id: string;
  at: Date;
  account_id: string | null;
  username: string;
  subject: string;
  url: string;
  method: string;
  ip: string;
  detail: Record<string, unknown> | null;
}

/**
 * SHA-256 of the hash before and the row: changing, removing or reordering any row breaks every hash after it. The chain by which a row is
 * found is not in it: that follows from the account.
 */
export function activityHash(previous: Buffer, row: ActivityRow): Buffer {
  const text = canonicalJson([
    String(row.seq),
    row.id,
    row.at.toISOString(),
    row.account_id,
    row.username,
    row.subject,
    row.url,
    row.method,
    row.ip,
    row.detail,
  ]);
  return createHash('sha256').update(previous).update(text).digest();
}

/**
 * SQL for whose a row of the network `$1` is that nobody did: its admin's, and of the root the first superadmin's.
 */
const OWNER_OF_NOBODYS = `case when $1 <> ${ROOT_NETWORK} then (select admin_id from networks where id = $1)
  else (select id from accounts where role = 'superadmin' order by id limit 1) end`;

/** A row that stands this much later than the clock said keeps what it said, as `clock` in its detail. */
const CLOCK_BEHIND_MS = 60_000;

/** The hash before the first row of a network. */
export const FIRST_HASH: Buffer = Buffer.alloc(32);

/**
 * Appends rows to the log of one network, in order. It locks the head of the network's chain until the transaction ends, so
 * it belongs at the end of one. The rows' time is taken under that lock and is never before that of the row above, not even where
 * another server's clock was ahead: a network's log does not go back. Gives the rows as they are.
 */
export async function appendActivity(
  tx: Tx,
  networkId: number,
  { clock, newId }: Pick<Services, 'clock' | 'newId'>,
  entries: readonly ActivityEntry[],
): Promise<readonly ActivityRow[]> {
  if (entries.length === 0) return [];
  await tx.query(
    'insert into activity_heads (network_id, seq, hash) values ($1, 0, $2) on conflict do nothing',
    [networkId, FIRST_HASH],
    'activity-first',
  );
  const [head] = await tx.query<{ seq: bigint; hash: Buffer; last_at: Date | null; last_id: string | null }>(
    'select seq, hash, last_at, last_id from activity_heads where network_id = $1 for update',
    [networkId],
    'activity-head',
  );
  let { seq, hash, last_id: lastId } = head!;
  const now = clock.now();
  const at = head!.last_at && head!.last_at > now ? head!.last_at : now;
  const behind = at.getTime() - now.getTime() > CLOCK_BEHIND_MS ? { clock: now.toISOString() } : undefined;
  const rows = entries.map((entry) => {
    const told = {
      ...entry.detail,
      ...(entry.changes && entry.changes.length > 0 && { changes: entry.changes }),
      ...behind,
    };
    const row: ActivityRow = {
      seq: ++seq,
      id: (lastId = newId(lastId ?? undefined)),
      at,
      account_id: entry.accountId,
      username: entry.username,
      subject: entry.subject,
      url: entry.origin.url,
      method: entry.origin.method,
      ip: entry.origin.ip,
      detail: Object.keys(told).length > 0 ? told : null,
    };
    hash = activityHash(hash, row);
    return { ...row, hash };
  });
  const column = <K extends keyof (typeof rows)[number]>(name: K): (typeof rows)[number][K][] =>
    rows.map((row) => row[name]);
  await tx.query(
    `with added as (
       insert into activity (network_id, seq, id, at, account_id, username, subject, url, method, ip, detail, hash, chain)
       select $1, e.*, coalesce(a.chain, '{}')
       from unnest($2::bigint[], $3::uuid[], $4::timestamptz[], $5::uuid[], $6::text[], $7::text[], $8::text[],
                   $9::text[], $10::text[], $11::jsonb[], $12::bytea[]) as e (seq, id, at, account_id)
       left join accounts a on a.id = coalesce(e.account_id, ${OWNER_OF_NOBODYS})
     )
     update activity_heads set seq = $13, hash = $14, last_at = $15, last_id = $16 where network_id = $1`,
    [
      networkId,
      column('seq'),
      column('id'),
      column('at'),
      column('account_id'),
      column('username'),
      column('subject'),
      column('url'),
      column('method'),
      column('ip'),
      rows.map((row) => row.detail && JSON.stringify(row.detail)),
      column('hash'),
      seq,
      hash,
      at,
      lastId,
    ],
    'activity-append',
  );
  return rows;
}
