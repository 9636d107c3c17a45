import { TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { describe, expect, it } from 'vitest';
import { compareRepeatedly, type CellBooks } from './compare-books.ts';

const GIFT = { kind: TRANSFER_KINDS.give, amount: '500', username: 'asha', isApplied: true };
const gift = (number: number): CellBooks['sent'][number] => ({ ...GIFT, id: `gift ${number}`, number });

interface Reading {
  readonly sent: number;
  readonly received: number;
  /** Credit that nobody issued. */
  readonly made?: number;
}

/** A sender that issued 100 points, and a receiver of gifts of 5 points each. */
function booksOf({ sent, received, made = 0 }: Reading): readonly CellBooks[] {
  const none = { issued: '0', brought: '0', sent: [], received: [] };
  const gifts = (count: number) => Array.from({ length: count }, (_, nth) => gift(nth + 1));
  return [
    { ...none, cell: 'cell-1', issued: '10000', held: String(10_000 - 500 * sent), sent: gifts(sent) },
    { ...none, cell: 'cell-2', held: String(500 * received + made), received: gifts(received) },
  ];
}

async function problemsOf(...readings: readonly Reading[]): Promise<readonly string[]> {
  const left = readings.values();
  const { problems } = await compareRepeatedly(() => Promise.resolve(booksOf(left.next().value!)));
  expect(left.next().done, 'all readings are used').toBe(true);
  return problems;
}

const agreed = { sent: 2, received: 2 };
const early = { sent: 0, received: 1 };
const late = { sent: 2, received: 1 };
const made = (reading: Reading): Reading => ({ ...reading, made: 700 });
const EXCESS = 'the cells and the way between them have 7.00 points more than were issued or brought';

describe('readings of the books of a group', () => {
  it('are one if nothing is wrong', async () => {
    expect(await problemsOf(agreed)).toEqual([]);
  });

  it.each([early, late])('forget a message that only one side showed yet: %o', async (first) => {
    expect(await problemsOf(first, agreed)).toEqual([]);
  });

  it('find credit that nobody issued while messages are underway', async () => {
    expect(await problemsOf(made(agreed), made(agreed))).toEqual([EXCESS]);
    expect(await problemsOf(made(early), made(agreed), made(agreed))).toEqual([EXCESS]);
    expect(await problemsOf(made(early), made(late), made(early))).toEqual([EXCESS]);
  });

  it('find credit that is gone', async () => {
    const gone = { ...agreed, made: -700 };
    expect(await problemsOf(gone, gone)).toEqual([EXCESS.replace('more', 'less')]);
  });

  it('find a message that one cell lost, whatever else the first reading showed', async () => {
    const lost = { sent: 3, received: 2 };
    expect(await problemsOf(early, lost, lost)).toEqual([
      'message 3 of cell-1 to asha moved 5.00 points there and 0.00 in the cell of the network',
    ]);
  });
});
