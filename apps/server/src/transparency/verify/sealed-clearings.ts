import { NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';
import { CLEARED_OPENED, Clearings, type ClearedPeriod } from '@drawhouse/rules/records/cleared-records';
import { kindLine, recordColumns, selectRecords } from '@drawhouse/rules/records/sealed-records';
import { nodeHashes } from '@drawhouse/tlog/node/hashes';
import { entryOf, readRecord, unescapeField } from '@drawhouse/tlog/node/record-entries';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { LineSplitter, type Copier } from '../../platform/db/sql/copy-rows.ts';
import type { SealedBundle } from '../read/read-sealed-log.ts';

const TAB = 0x09;
/** Hash bytes per lookup, as many as a number can hold. */
const MAX_SEARCHED = 6;

/** Row that counts only if sealed in this form. */
interface Claimed {
  readonly leaf: Uint8Array;
  readonly period?: ClearedPeriod;
  readonly draw?: string;
}

/** Skips clearings that differ from their seal. Yields after each bundle. Reads none without clearings. */
export async function* sealedClearings(
  on: Copier,
  bundles: AsyncIterable<Pick<SealedBundle, 'nodes'>>,
): AsyncGenerator<void, Clearings, undefined> {
  const claimed = await claimedRows(on);
  const found = new Set<Claimed>();
  if (claimed.size > 0)
    for await (const { nodes } of bundles) {
      for (const one of claimedIn(nodes, claimed)) found.add(one);
      yield;
    }
  const rows = [...found];
  return new Clearings(
    rows.flatMap(({ period }) => period ?? []),
    rows.flatMap(({ draw }) => (draw === undefined ? [] : { draw })),
  );
}

async function claimedRows(on: Copier): Promise<ReadonlyMap<number, readonly Claimed[]>> {
  const claimed = new Map<number, Claimed[]>();
  const claim = (table: string, line: Uint8Array, what: Omit<Claimed, 'leaf'>): void => {
    const entry = entryOf(table, Buffer.from(`${kindLine(table)}\n`), line);
    // Long rows are sealed by hash only, so the log cannot show what they cleared.
    if (readRecord(entry).isHashed) return;
    const leaf = nodeHashes.leaf(entry);
    const start = Buffer.from(leaf).readUIntBE(0, MAX_SEARCHED);
    claimed.set(start, [...(claimed.get(start) ?? []), { leaf, ...what }]);
  };
  const some = `removed > 0 ${crossNetworkComment('seals')}`;
  for (const line of await linesOf(on.copy(selectRecords('clearings', some, 'clearings', [CLEARED_OPENED])))) {
    const first = line.indexOf(TAB);
    const row = line.subarray(first + 1);
    claim('clearings', row, { period: periodOf(line.subarray(0, first).toString(), row) });
  }
  if (claimed.size === 0) return claimed;
  for (const line of await linesOf(on.copy(selectRecords('cleared_draws', `true ${crossNetworkComment('seals')}`))))
    claim('cleared_draws', line, { draw: fieldsOf(line).slice(0, 2).join(' ') });
  return claimed;
}

function periodOf(opened: string, row: Buffer): ClearedPeriod {
  const fields = fieldsOf(row);
  const of = new Map(recordColumns('clearings').map((column, at) => [column, fields[at]!]));
  return {
    network: of.get('network_id')!,
    model: of.get('model')!,
    from: of.get('starts_at')!,
    opened,
    until: of.get('ends_at')!,
    rows: Number(of.get('removed')),
    log_rows: Number(of.get('log_rows')),
  };
}

function fieldsOf(line: Buffer): string[] {
  return line.toString().trimEnd().split('\t').map(unescapeField);
}

function claimedIn(bytes: Buffer, claimed: ReadonlyMap<number, readonly Claimed[]>): Claimed[] {
  const found: Claimed[] = [];
  for (let at = 0; at < bytes.length; at += NODE_BYTES) {
    const some = claimed.get(bytes.readUIntBE(at, MAX_SEARCHED));
    if (!some) continue;
    const node = bytes.subarray(at, at + NODE_BYTES);
    found.push(...some.filter(({ leaf }) => sameBytes(leaf, node)));
  }
  return found;
}

async function linesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const lines: Buffer[] = [];
  const copied = new LineSplitter();
  for await (const chunk of chunks) copied.take(chunk, (bytes, from, end) => lines.push(bytes.subarray(from, end)));
  return lines;
}
