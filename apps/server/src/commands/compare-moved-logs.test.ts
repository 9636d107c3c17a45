import { expect, it } from 'vitest';
import { compareMovedLogs } from './compare-moved-logs.ts';

const move = (id: string, checkpoint: string | null) => ({ id, username: `admin of ${id}`, digest: 'aa', checkpoint });

it('asks the earlier cell of each moved network whether its seals still continue from that moment', async () => {
  const books = [
    { cell: 'cell-1', left: ['one', 'two', 'three'].map((id) => move(id, null)), arrived: [move('four', 'gone')] },
    {
      cell: 'cell-2',
      left: [move('four', null)],
      arrived: [move('one', 'intact'), move('two', 'changed'), move('three', null), move('of no cell', 'changed')],
    },
  ];
  const asked: string[] = [];
  const found = await compareMovedLogs(books, (cell, checkpoint) => {
    asked.push(`${cell} ${checkpoint}`);
    return Promise.resolve(checkpoint === 'gone' ? undefined : checkpoint === 'intact');
  });
  expect(asked).toEqual(['cell-2 gone', 'cell-1 intact', 'cell-1 changed']);
  expect(found).toEqual({
    problems: ['the seals of cell-1 no longer have what they had when the network of admin of two left (move two)'],
    unread: ['cell-2'],
  });
});
