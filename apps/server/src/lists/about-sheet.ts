import { ABOUT_SHEET, ABOUT_WIDTHS, aboutProperties } from '@drawhouse/contract/frame/file-about';
import type { AboutLine, FileMade } from '@drawhouse/contract/frame/file-about';
import { writeXlsx } from 'hucre';

/** More than everything takes that stands in a workbook behind the rows of its sheets. */
const TAIL_BYTES = 64 * 1024;
const SHEET = /^xl\/worksheets\/sheet(\d+)\.xml$/;
/** What tells of a workbook which parts it has, and its properties. */
const CONTENTS = /^(\[Content_Types\]\.xml|_rels\/.*|docProps\/.*|xl\/workbook\.xml|xl\/_rels\/.*)$/;

/**
 * The bytes of a workbook with properties and, last, the sheet `About`. What streams Excel files knows of neither: its rows go out as they
 * come, and in the small parts that it writes behind them the contents are taken from a workbook without rows. `describe` is asked once
 * the rows are out.
 */
export async function* withAboutSheet(
  workbook: AsyncIterable<Uint8Array>,
  sheet: string,
  describe: () => { readonly lines: readonly AboutLine[]; readonly made: FileMade },
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
  const kept = partsOf(tail, sentBytes).filter(({ name }) => !CONTENTS.test(name));
  const sheets = kept.filter(({ name }) => SHEET.test(name)).length;
  const frame = await workbookOf(sheet, sheets, describe());
  const added = partsOf(frame, 0).filter(
    ({ name }) => CONTENTS.test(name) || Number(SHEET.exec(name)?.[1] ?? 0) > sheets,
  );
  // The contents stand behind everything that is kept.
  const keptEnd = Math.max(...kept.map(({ end }) => end));
  yield tail.subarray(0, keptEnd - sentBytes);
  let place = keptEnd;
  for (const part of added) {
    const bytes = frame.subarray(part.start, part.end);
    part.record.writeUInt32LE(place, RECORD.start);
    place += bytes.length;
    yield bytes;
  }
  yield directoryOf([...kept, ...added], place);
}

/** A workbook with so many sheets without rows, named as those of one that is streamed, and the sheet `About`. */
async function workbookOf(
  sheet: string,
  sheets: number,
  { lines, made }: { lines: readonly AboutLine[]; made: FileMade },
): Promise<Buffer> {
  const names = Array.from({ length: sheets }, (_, index) => {
    const suffix = index === 0 ? '' : `_${index + 1}`;
    return sheet.slice(0, MOST_LETTERS - suffix.length) + suffix;
  });
  const bytes = await writeXlsx({
    // Those of the sheets that are taken from here must not need the table of strings.
    stringMode: 'inline',
    properties: aboutProperties(lines, made),
    sheets: [
      ...names.map((name) => ({ name, rows: [] })),
      { name: ABOUT_SHEET, columns: ABOUT_WIDTHS.map((width) => ({ width })), rows: lines.map((line) => [...line]) },
    ],
  });
  return Buffer.from(bytes);
}

/** What Excel takes in the name of a sheet. */
const MOST_LETTERS = 31;

/** A part of a ZIP: where its bytes are, and its record in the directory at the end. */
interface Part {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly record: Buffer;
}

/** Places in a record of a ZIP's directory, and in what stands behind the directory. */
const RECORD = { nameLength: 28, extraLength: 30, commentLength: 32, start: 42, name: 46 };
const END = { bytes: 22, signature: 0x06054b50, records: 8, recordsInAll: 10, size: 12, start: 16 };

/** The parts of a ZIP in their order, of which `tail`, beginning at `offset`, has the directory. */
function partsOf(tail: Buffer, offset: number): Part[] {
  const end = tail.subarray(-END.bytes);
  const directory = end.readUInt32LE(END.start);
  const parts: Omit<Part, 'end'>[] = [];
  for (let at = directory - offset; parts.length < end.readUInt16LE(END.records);) {
    const nameEnd = at + RECORD.name + tail.readUInt16LE(at + RECORD.nameLength);
    const past = nameEnd + tail.readUInt16LE(at + RECORD.extraLength) + tail.readUInt16LE(at + RECORD.commentLength);
    const record = Buffer.from(tail.subarray(at, past));
    parts.push({
      name: tail.toString('utf8', at + RECORD.name, nameEnd),
      start: record.readUInt32LE(RECORD.start),
      record,
    });
    at = past;
  }
  return parts.map((part, index) => ({ ...part, end: parts[index + 1]?.start ?? directory }));
}

/** The directory of a ZIP that begins at a place, with what stands behind it. */
function directoryOf(parts: readonly Part[], start: number): Buffer {
  const records = Buffer.concat(parts.map(({ record }) => record));
  const end = Buffer.alloc(END.bytes);
  end.writeUInt32LE(END.signature);
  end.writeUInt16LE(parts.length, END.records);
  end.writeUInt16LE(parts.length, END.recordsInAll);
  end.writeUInt32LE(records.length, END.size);
  end.writeUInt32LE(start, END.start);
  return Buffer.concat([records, end]);
}
