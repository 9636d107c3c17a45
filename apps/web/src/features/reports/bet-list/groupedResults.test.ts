import { expect, test } from 'vitest';
import { grouped } from './groupedResults.ts';

test('groups results by series, then sub-series', () => {
  const at = (series: string | null, subseries: string | null, drawno: string) => ({ series, subseries, drawno });
  expect(grouped([at('1000', '1000', '1042'), at('1000', '1100', '1107'), at('3000', '3000', '3001')])).toEqual([
    {
      series: '1000',
      groups: [
        { subseries: '1000', numbers: ['1042'] },
        { subseries: '1100', numbers: ['1107'] },
      ],
    },
    { series: '3000', groups: [{ subseries: '3000', numbers: ['3001'] }] },
  ]);
  expect(grouped([at(null, null, '7')])).toEqual([{ series: null, groups: [{ subseries: null, numbers: ['7'] }] }]);
  expect(grouped([])).toEqual([]);
});
