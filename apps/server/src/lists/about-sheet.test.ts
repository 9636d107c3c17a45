import type { AboutLine, FileMade } from '@drawhouse/contract/frame/file-about';
import { readXlsx, streamXlsxRows, writeXlsxStream } from 'hucre';
import { describe, expect, it } from 'vitest';
import { withAboutSheet } from './about-sheet.ts';

const LINES: AboutLine[] = [
  ['Title', 'Sums & <"names">'],
  ['Interval', 'All times'],
  ['Rows', 7],
];
const MADE: FileMade = {
  by: { username: 'renée', role: 'admin' },
  at: '2026-03-10T10:00:00.000Z',
  timeZone: 'Asia/Kolkata',
  formatTime: (iso) => iso,
  query: {},
  order: 'name',
};

async function fileOf(rows: unknown[][], options: { name?: string; maxRowsPerSheet?: number } = {}): Promise<Buffer> {
  const name = options.name ?? 'Sums';
  const workbook = writeXlsxStream(rows as never, { name, columns: [{ header: 'a' }, { header: 'b' }], ...options });
  const chunks: Uint8Array[] = [];
  for await (const chunk of withAboutSheet(workbook, name, () => ({ lines: LINES, made: MADE }))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('an Excel file that says what it is', () => {
  it('has its rows, then the sheet About, and the same in its properties', async () => {
    const { sheets, properties } = await readXlsx(await fileOf([['x', 1.5]]), { includeProperties: true } as never);
    expect(sheets.map(({ name, rows }) => [name, rows])).toEqual([
      [
        'Sums',
        [
          ['a', 'b'],
          ['x', 1.5],
        ],
      ],
      ['About', LINES.map((line) => [...line])],
    ]);
    expect(properties).toMatchObject({
      title: 'Sums & <"names">',
      subject: 'All times',
      creator: 'renée',
      created: new Date(MADE.at),
      custom: { Title: 'Sums & <"names">', Interval: 'All times', Rows: 7 },
    });
  });

  it('has About behind all the sheets that many rows take, whatever they are called', async () => {
    const name = 'A name of thirty-one letters abc';
    const rows = Array.from({ length: 5 }, (_, n) => ['x', n]);
    const { sheets } = await readXlsx(await fileOf(rows, { name: name.slice(0, 31), maxRowsPerSheet: 3 }));
    expect(sheets.map((sheet) => [sheet.name, sheet.rows.length])).toEqual([
      [name.slice(0, 31), 3],
      [`${name.slice(0, 29)}_2`, 3],
      [`${name.slice(0, 29)}_3`, 2],
      ['About', 3],
    ]);
  });

  it('is whole where its rows are far longer than what is held back of it', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => [`${n} ${(n * 2_654_435_761) % 4_294_967_296}`, n]);
    const file = await fileOf(rows);
    expect(file.length).toBeGreaterThan(200_000);
    let last: unknown;
    for await (const row of streamXlsxRows(file)) last = row.values;
    expect(last).toEqual(rows.at(-1));
    expect((await readXlsx(file)).sheets.at(-1)!.rows).toEqual(LINES.map((line) => [...line]));
  });

  it('stops what it is made of when it is no longer wanted', async () => {
    let stopped = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(100_000);
      } finally {
        stopped = true;
      }
    }
    for await (const _ of withAboutSheet(endless(), 'Sums', () => ({ lines: LINES, made: MADE }))) break;
    expect(stopped).toBe(true);
  });
});
