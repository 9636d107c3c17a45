import { writeXlsx, type WorkbookProperties } from 'hucre';

/** Upper bound for workbook parts after the sheets. */
const TAIL_BYTES = 64 * 1024;
const SHEET = /^xl\/worksheets\//;
const TELLING = /^(\[Content_Types\]\.xml|_rels\/.*|docProps\/.*)$/;

/**
 * The Excel streamer cannot add properties. Passes rows through and replaces small trailing parts with those of an
 * empty workbook. Reads `properties` after the rows.
 */
export async function* withProperties(
  workbook: AsyncIterable<Uint8Array>,
  properties: () => WorkbookProperties,
): AsyncGenerator<Uint8Array> {
  const buffered: Uint8Array[] = [];
  let [bufferedBytes, sentBytes] = [0, 0];
  for await (const chunk of workbook) {
    buffered.push(chunk);
    bufferedBytes += chunk.length;
    while (bufferedBytes - buffered[0]!.length >= TAIL_BYTES) {
      const first = buffered.shift()!;
      bufferedBytes -= first.length;
      sentBytes += first.length;
      yield first;
    }
  }
  const tail = Buffer.concat(buffered);
  const parts = partsOf(tail, sentBytes).filter(({ name }) => !TELLING.test(name));
  const sheets = parts.filter(({ name }) => SHEET.test(name)).map((_sheet, index) => ({ name: `${index}`, rows: [] }));
  const frame = Buffer.from(await writeXlsx({ sheets, properties: properties() }));
  const added = partsOf(frame, 0).filter(({ name }) => TELLING.test(name));
  // Replaced parts come last.
  let place = Math.max(...parts.map(({ end }) => end));
  yield tail.subarray(0, place - sentBytes);
  for (const { start, end, record } of added) {
    record.writeUInt32LE(place, RECORD.start);
    place += end - start;
    yield frame.subarray(start, end);
  }
  const records = [...parts, ...added].map(({ record }) => record);
  yield* records;
  const end = tail.subarray(-END.bytes);
  for (const at of [END.records, END.recordsInAll]) end.writeUInt16LE(records.length, at);
  end.writeUInt32LE(Buffer.concat(records).length, END.size);
  end.writeUInt32LE(place, END.start);
  yield end;
}

interface Part {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly record: Buffer;
}

/** Byte offsets in a directory record and in the end record. */
const RECORD = { nameLength: 28, extraLength: 30, commentLength: 32, start: 42, name: 46 };
const END = { bytes: 22, records: 8, recordsInAll: 10, size: 12, start: 16 };

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
