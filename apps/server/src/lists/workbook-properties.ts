import { writeXlsx } from 'hucre';
import type { WorkbookProperties } from 'hucre';

/** More than everything takes that stands in a workbook behind the rows of its sheets. */
const TAIL_BYTES = 64 * 1024;
const SHEET = /^xl\/worksheets\//;
/** What tells which parts a workbook has, and the properties that it then has too. */
const TELLING = /^(\[Content_Types\]\.xml|_rels\/.*|docProps\/.*)$/;

/**
 * The bytes of a workbook with properties. What streams Excel files knows of none: its rows go out as they come, and of the small parts
 * that it writes behind them those that tell of the others are taken from a workbook without rows. `properties` is asked once the rows are
 * out.
 */
export async function* withProperties(
  workbook: AsyncIterable<Uint8Array>,
  properties: () => WorkbookProperties,
): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  let [heldBytes, sentBytes] = [0, 0];
  for await (const chunk of workbook) {
    held.push(chunk);
    heldBytes += chunk.length;
    while (heldBytes - held[0]!.length >= TAIL_BYTES) {
      const first = held.shift()!;
      heldBytes -= first.length;
      sentBytes += first.length;
      yield first;
    }
  }
  const tail = Buffer.concat(held);
  const kept = partsOf(tail, sentBytes).filter(({ name }) => !TELLING.test(name));
  const sheets = kept.filter(({ name }) => SHEET.test(name)).map((_sheet, index) => ({ name: `${index}`, rows: [] }));
  const frame = Buffer.from(await writeXlsx({ sheets, properties: properties() }));
  const added = partsOf(frame, 0).filter(({ name }) => TELLING.test(name));
  // They stand behind everything that is kept.
  let place = Math.max(...kept.map(({ end }) => end));
  yield tail.subarray(0, place - sentBytes);
  for (const { start, end, record } of added) {
    record.writeUInt32LE(place, RECORD.start);
    place += end - start;
    yield frame.subarray(start, end);
  }
  const records = [...kept, ...added].map(({ record }) => record);
  yield* records;
  const end = tail.subarray(-END.bytes);
  for (const at of [END.records, END.recordsInAll]) end.writeUInt16LE(records.length, at);
  end.writeUInt32LE(Buffer.concat(records).length, END.size);
  end.writeUInt32LE(place, END.start);
  yield end;
}

/** A part of a ZIP: where its bytes are, and its record in the directory at the end. */
interface Part {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly record: Buffer;
}

/** Places in a record of a ZIP's directory, and in what stands behind the directory. */
const RECORD = { nameLength: 28, extraLength: 30, commentLength: 32, start: 42, name: 46 };
const END = { bytes: 22, records: 8, recordsInAll: 10, size: 12, start: 16 };

/** The parts of a ZIP in their order, of which `tail`, beginning at `offset`, has the directory. */
function partsOf(tail: Buffer, offset: number): Part[] {
  const end = tail.subarray(-END.bytes);
  const directory = end.readUInt32LE(END.start);
  const parts: Omit<Part, 'end'>[] = [];
  for (let at = directory - offset; parts.length < end.readUInt16LE(END.records);) {
    const nameEnd = at + RECORD.name + tail.readUInt16LE(at + RECORD.nameLength);
    const past = nameEnd + tail.readUInt16LE(at + RECORD.extraLength) + tail.readUInt16LE(at + RECORD.commentLength);
    const record = tail.subarray(at, past);
    parts.push({
      name: tail.toString('utf8', at + RECORD.name, nameEnd),
      start: record.readUInt32LE(RECORD.start),
      record,
    });
    at = past;
  }
  return parts.map((part, index) => ({ ...part, end: parts[index + 1]?.start ?? directory }));
}
