import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BATCHES, kindLine, recordColumns } from '@drawhouse/rules/records/sealed-records';
import { OWN_FILE, OWN_FOLDER } from '../../platform/db/embedded/durable-file.ts';
import { ifMissing } from '../seal/seal-files.ts';

const ID_BYTES = 16;
const ROW_BYTES = ID_BYTES + 8;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const KIND = `${kindLine('draws')}\n`;
const BATCH_KIND = kindLine(BATCHES);
const COLUMNS = recordColumns('draws');
const [ID, STATUS] = [COLUMNS.indexOf('id'), COLUMNS.indexOf('status')];

export interface DrawPlace {
  readonly drawId: string;
  readonly index: number;
}

/** Undefined for other records. Open draws have neither seed nor saved result, so the record is public. */
export function openedDraw(entry: Uint8Array): string | undefined {
  const text = Buffer.from(entry).toString();
  if (!text.startsWith(KIND)) return undefined;
  const fields = text.slice(KIND.length, -1).split('\t');
  return fields[STATUS] === 'open' ? fields[ID] : undefined;
}

export function batchOfTickets(entry: Uint8Array): { readonly drawId: string; readonly writtenBy: string } | undefined {
  const [kind, row = ''] = Buffer.from(entry).toString().split('\n');
  const [, table, drawId, writtenBy] = row.split('\t');
  return kind === BATCH_KIND && table === 'tickets' ? { drawId: drawId!, writtenBy: writtenBy! } : undefined;
}

/** One file per hour of draw ids. Only a hint; readers verify each hit. */
export async function indexDraws(folder: string, places: readonly DrawPlace[]): Promise<void> {
  const byFile = Map.groupBy(
    places.filter(({ drawId }) => UUID.test(drawId)),
    ({ drawId }) => fileOf(folder, drawId),
  );
  for (const [file, rows] of byFile) {
    await mkdir(dirname(file), { recursive: true, mode: OWN_FOLDER });
    await appendFile(file, Buffer.concat(rows.map(rowOf)), { mode: OWN_FILE, flush: true });
  }
}

export async function placesOf(folder: string, drawId: string): Promise<number[]> {
  if (!UUID.test(drawId)) return [];
  const rows = await readFile(fileOf(folder, drawId)).catch(ifMissing(Buffer.alloc(0)));
  const id = idBytes(drawId);
  const places: number[] = [];
  for (let at = 0; at + ROW_BYTES <= rows.length; at += ROW_BYTES)
    if (rows.subarray(at, at + ID_BYTES).equals(id)) places.push(Number(rows.readBigUInt64BE(at + ID_BYTES)));
  return places.toSorted((a, b) => a - b);
}

/** `draws/2026-01-31/18`, from the time in the id. */
function fileOf(folder: string, drawId: string): string {
  const at = new Date(Number.parseInt(idBytes(drawId).toString('hex', 0, 6), 16)).toISOString();
  return join(folder, 'draws', at.slice(0, 10), at.slice(11, 13));
}

function rowOf({ drawId, index }: DrawPlace): Buffer {
  const row = Buffer.alloc(ROW_BYTES);
  idBytes(drawId).copy(row);
  row.writeBigUInt64BE(BigInt(index), ID_BYTES);
  return row;
}

function idBytes(drawId: string): Buffer {
  return Buffer.from(drawId.replaceAll('-', ''), 'hex');
}
