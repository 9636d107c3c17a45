import { expect, it } from 'vitest';
import { compareMovedLogs } from './compare-moved-logs.ts';

const arrival = (id: string, from: string, checkpoint: string | null) => ({
  id,
  username: `admin of ${id}`,
  from,
  checkpoint,
});

it('asks the earlier cell of each moved network whether its seals still continue from that moment', async () => {
  const arrivals = [
    arrival('one', 'cell-1', 'intact'),
    arrival('two', 'cell-1', 'changed'),
    arrival('three', 'cell-1', null),
    arrival('four', 'cell-2', 'gone'),
  ];
  const asked: string[] = [];
  const found = await compareMovedLogs(arrivals, (cell, checkpoint) => {
    asked.push(`${cell} ${checkpoint}`);
    return Promise.resolve(checkpoint === 'gone' ? undefined : checkpoint === 'intact');
  });
  expect(asked).toEqual(['cell-1 intact', 'cell-1 changed', 'cell-2 gone']);
  expect(found).toEqual({
    problems: [
      "the seals of cell-1 no longer have what they had when the network of admin of two left, or can't be read (move two)",
    ],
    unread: ['cell-2'],
  });
});
