import { pathAbove } from '@drawhouse/rules/fair/tree/merkle';
import { kindLine, SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { nodeHashes } from '@drawhouse/tlog/node/hashes';
import type { Database } from '../../platform/db/database.ts';
import { batchOfTickets } from '../read/draw-index.ts';
import { findDrawProof, type ServedSeals } from './serve-seals.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** Position of a ticket in its batch, and of the batch in the log (docs/seals.md). */
export interface SealedTicket {
  readonly record: string;
  readonly index: number;
  readonly size: number;
  /** Merkle path, leaf to root, 64 hex digits each. */
  readonly path: string[];
  /** C2SP tlog-proof with the batch's record as `extra`. */
  readonly proof: string;
}

export interface TicketToProve {
  readonly networkId: number;
  readonly id: string;
}

const { key, columns } = SEALED_TABLES['tickets']!;
/** COPY form without escapes. */
const TEXTS = [...key, ...columns].map(
  (column) => `case when k.${column} is not null then format('%s', k.${column}) end`,
);

/** Undefined until a checkpoint covers the ticket. */
export async function proveTicket(
  db: Pick<Database, 'transaction'>,
  seals: ServedSeals,
  { networkId, id }: TicketToProve,
): Promise<SealedTicket | undefined> {
  const rows = await db.transaction(async (tx) => {
    await tx.query(sql`select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true)`);
    return tx.query<{ is_it: boolean; draw: string; by: string; fields: (string | null)[] }>(
      sql`select k.id = t.id as is_it, k.draw_id as draw, k.written_by::text as by, array[${sql.raw(TEXTS.join(', '))}] as fields
       from tickets t join tickets k on k.written_by = t.written_by and k.network_id = t.network_id and k.draw_id = t.draw_id
       where t.network_id = ${networkId} and t.id = ${id}`.named('batch-of-ticket'),
    );
  });
  const own = rows.find((row) => row.is_it);
  const proof = own && (await findDrawProof(seals, own.draw, (entry) => batchOfTickets(entry)?.writtenBy === own.by));
  if (!own || proof === undefined) return undefined;
  const record = recordOf(own.fields);
  const leaf = leafOf(record);
  const leaves = rows
    .map(({ fields }) => leafOf(recordOf(fields)))
    .toSorted((one, other) => Buffer.compare(one, other));
  const index = leaves.findIndex((one) => Buffer.compare(one, leaf) === 0);
  const path = pathAbove(leaves, index).map((node) => Buffer.from(node).toString('hex'));
  return { record, index, size: leaves.length, path, proof };
}

function leafOf(record: string): Uint8Array {
  return nodeHashes.leaf(Buffer.from(record));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

function recordOf(fields: readonly (string | null)[]): string {
  const texts = fields.map((field) => field?.replaceAll(/[\\\b\f\n\r\t\v]/g, (char) => ESCAPES[char]!) ?? '\\N');
  return `${kindLine('tickets')}\n${texts.join('\t')}\n`;
}
