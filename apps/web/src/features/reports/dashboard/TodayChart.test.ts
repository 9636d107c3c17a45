import { expect, it } from 'vitest';
import { pointsOf, seriesNames } from './TodayChart.tsx';

const part = (startDate: string, until: string, hours: number[], rest: number[]) => {
  const figures = (playPoints: number) => ({ playPoints, winPoints: 0, net: 0, earned: 0 });
  return { startDate, until, ...figures(0), hours: hours.map(figures), rest: rest.map(figures) };
};

it('sums up each day by the hour, all up to the same time in the running hour', () => {
  const points = pointsOf(
    {
      today: part('2026-03-10T00:00:00.000Z', '2026-03-10T01:30:00.001Z', [5, 2], []),
      yesterday: part('2026-03-09T00:00:00.000Z', '2026-03-09T01:30:00.001Z', [1, 1], [4, 8]),
      lastWeek: part('2026-03-03T00:00:00.000Z', '2026-03-03T01:30:00.001Z', [0, 0], [0, 3, 1]),
    },
    'playPoints',
  );
  expect(points.map(({ values }) => values)).toEqual([
    [5, 1, 0],
    [7, 2, 0],
    [null, 14, 3],
    [null, null, 4],
  ]);
  expect(points.map(({ at }) => at.slice(11, 16))).toEqual(['00:00', '01:00', '02:00', '03:00']);
  expect(points.map(({ name }) => name!.replace(/\d\d:\d\d$/, ''))).toEqual(['By ', 'So far, by ', 'By ', 'By ']);
});

it('draws no earlier day without play', () => {
  const days = {
    today: part('2026-03-10T00:00:00.000Z', '2026-03-10T01:30:00.001Z', [5, 2], []),
    yesterday: part('2026-03-09T00:00:00.000Z', '2026-03-09T01:30:00.001Z', [0, 0], [0, 0]),
    lastWeek: part('2026-03-03T00:00:00.000Z', '2026-03-03T01:30:00.001Z', [0, 0], [0, 3, 1]),
  };
  expect(seriesNames(days)).toEqual(['Today', 'Last Tuesday']);
  expect(pointsOf(days, 'playPoints').map(({ values }) => values)).toEqual([
    [5, 0],
    [7, 0],
    [null, 3],
    [null, 4],
  ]);
  expect(pointsOf(days, 'winPoints')[0]!.values).toEqual([0, 0]);
});
