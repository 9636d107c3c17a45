import { readXlsx, streamXlsxRows, writeXlsxStream } from 'hucre';
import { describe, expect, it } from 'vitest';
import { withProperties } from './write-list-file.ts';

const PROPERTIES = {
  title: 'Sums & <"names">',
  subject: 'All times',
  creator: 'renée',
  created: new Date('2026-03-10T10:00:00.000Z'),
  custom: { Title: 'Sums & <"names">', Interval: 'All times', Rows: 7 },
};

async function fileOf(rows: unknown[][], options: { name?: string; maxRowsPerSheet?: number } = {}): Promise<Buffer> {
  const name = options.name ?? 'Sums';
  const workbook = writeXlsxStream(rows as never, { name, columns: [{ header: 'a' }, { header: 'b' }], ...options });
  const chunks: Uint8Array[] = [];
  for await (const chunk of withProperties(workbook, () => PROPERTIES)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a self-describing Excel file', () => {
  it('has its rows, and its description in the properties', async () => {
    const { sheets, properties } = await readXlsx(await fileOf([['x', 1.5]]), { includeProperties: true } as never);
    expect(sheets.map(({ name, rows }) => [name, rows])).toEqual([
      [
        'Sums',
        [
          ['a', 'b'],
          ['x', 1.5],
        ],
      ],
    ]);
    expect(properties).toMatchObject(PROPERTIES);
  });

  it('has all sheets for many rows, whatever their names', async () => {
    const name = 'A name of thirty-one letters abc';
    const rows = Array.from({ length: 5 }, (_, n) => ['x', n]);
    const file = await fileOf(rows, { name: name.slice(0, 31), maxRowsPerSheet: 3 });
    const { sheets, properties } = await readXlsx(file);
    expect(sheets.map((sheet) => [sheet.name, sheet.rows.length])).toEqual([
      [name.slice(0, 31), 3],
      [`${name.slice(0, 29)}_2`, 3],
      [`${name.slice(0, 29)}_3`, 2],
    ]);
    expect(properties).toMatchObject(PROPERTIES);
  });

  it('is complete with rows longer than its buffer', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => [`${n} ${(n * 2_654_435_761) % 4_294_967_296}`, n]);
    const file = await fileOf(rows);
    expect(file.length).toBeGreaterThan(200_000);
    let last: unknown;
    for await (const row of streamXlsxRows(file)) last = row.values;
    expect(last).toEqual(rows.at(-1));
    expect((await readXlsx(file)).properties).toMatchObject(PROPERTIES);
  });

  it('stops its source when canceled', async () => {
    let stopped = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(100_000);
      } finally {
        stopped = true;
      }
    }
    for await (const _ of withProperties(endless(), () => PROPERTIES)) break;
    expect(stopped).toBe(true);
  });
});
