import { parseCsv } from 'hucre';
import { expect, it } from 'vitest';
import { csvCell, writeCsv } from './write-list-file.ts';

it.each([
  ['plain', 'plain'],
  ['two words', 'two words'],
  ['', ''],
  [null, ''],
  [-490, '-490'],
  [-0.01, '-0.01'],
  [1234567890123.45, '1234567890123.45'],
  [true, 'true'],
  // Inner or typographic minus signs start no formula.
  ['a-b=c', 'a-b=c'],
  ['−490.00', '−490.00'],
  ['a,b', '"a,b"'],
  ['say "yes"', '"say ""yes"""'],
  ['a;b', '"a;b"'],
  ['a\tb', '"a\tb"'],
  ['a\rb', '"a\rb"'],
  ['a\nb', '"a\nb"'],
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@sum', `"'@sum"`],
  ['|cmd', `"'|cmd"`],
  ['＝1', `"'＝1"`],
  ['＋1', `"'＋1"`],
  ['－1', `"'－1"`],
  ['＠sum', `"'＠sum"`],
  ['﹦1', `"'﹦1"`],
  ['\t=1', `"'\t'=1"`],
  ['\tplain', `"'\tplain"`],
  ['\rplain', `"'\rplain"`],
  [' =1', `"' =1"`],
  ['\u200B=1', `"'\u200B=1"`],
  ['\u3000＝1', `"'\u3000＝1"`],
  ['a;=1', `"a;'=1"`],
  ['a;"=1;b', `"a;'""=1;b"`],
  ['"=1', `"'""=1"`],
  ['a;＝1;b', `"a;'＝1;b"`],
  ['a\t@sum', `"a\t'@sum"`],
  ['a\r\n-1', `"a\r'\n'-1"`],
])('escapes %j as %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

it('a file in pieces has each line once, in order', async () => {
  async function* lines(): AsyncGenerator<[number, string]> {
    for (let number = 0; number < 20_000; number++) yield [number, `row; ${number}`];
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of writeCsv(['No', 'A "head"'], lines())) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(2);
  const text = Buffer.concat(pieces).toString();
  expect(text.startsWith('\uFEFFNo,"A ""head"""\r\n0,"row; 0"\r\n')).toBe(true);
  expect(parseCsv(text)).toEqual([
    ['No', 'A "head"'],
    ...Array.from({ length: 20_000 }, (_, number) => [String(number), `row; ${number}`]),
  ]);
});
