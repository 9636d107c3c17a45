import { expect, it } from 'vitest';
import { firstPrint, readPrinted, withPrint } from './printedBefore.ts';

const at = '2026-03-01T10:00:00.000Z';

it('knows what was printed first when, however often it is printed', () => {
  const once = withPrint([], 'A', at);
  expect(firstPrint([], 'A')).toBeNull();
  expect(firstPrint(once, 'A')).toBe(at);
  expect(withPrint(once, 'A', '2026-03-02T10:00:00.000Z')).toBe(once);
  expect(readPrinted(JSON.stringify(once))).toEqual(once);
});

it('remembers some hundreds, the last ones', () => {
  let printed = readPrinted(null);
  for (let count = 0; count < 600; count++) printed = withPrint(printed, String(count), at);
  expect(printed).toHaveLength(500);
  expect(firstPrint(printed, '99')).toBeNull();
  expect(firstPrint(printed, '599')).toBe(at);
});

it('reads nothing from what is not right', () => {
  for (const wrong of ['', '{', 'null', '{}', '7', '[["A"]]', '[["A",1]]', '[["A","never"]]', '["A"]'])
    expect([wrong, readPrinted(wrong)]).toEqual([wrong, []]);
});
