import { describe, expect, it } from 'vitest';
import { layOutChart } from './layOutChart.ts';

const days = (...values: (number | null)[][]) =>
  values.map((each, index) => ({ at: new Date(2026, 2, index + 1).toISOString(), values: each }));
const PLACE = { grain: 'day', width: 800, height: 180 } as const;
const COLUMNS = [
  { name: 'Play', as: 'columns' },
  { name: 'Win', as: 'columns' },
] as const;

describe('columns', () => {
  const { series, zero, frame } = layOutChart({ ...PLACE, series: COLUMNS, points: days([100, 50], [-40, 0]) });

  it('start at zero, side by side, proportional to their values', () => {
    const [play, win] = series.map(({ columns }) => columns);
    expect(play![0]!.y + play![0]!.height).toBeCloseTo(zero!);
    expect(play![0]!.height / win![0]!.height).toBeCloseTo(2);
    expect(play![0]!.x + play![0]!.width).toBeCloseTo(win![0]!.x);
    expect(play![0]!.width).toBe(48);
    expect(win![0]!.x).toBeCloseTo(frame.middles[0]!);
  });

  it('hang below zero for losses, and are absent without value', () => {
    const [play, win] = series.map(({ columns }) => columns);
    expect(play![1]!.y).toBeCloseTo(zero!);
    expect(win).toHaveLength(1);
  });
});

describe('lines', () => {
  it('break without a value; step lines hold until the next', () => {
    const points = days([1], [null], [3], [2]);
    const [line] = layOutChart({ ...PLACE, series: [{ name: 'Net' }], points }).series;
    expect(line!.path.match(/[A-Z]/g)!.join('')).toBe('MML');
    expect(line!.dots).toHaveLength(3);
    const [steps] = layOutChart({ ...PLACE, series: [{ name: 'Balance', as: 'steps' }], points }).series;
    expect(steps!.path.match(/[A-Z]/g)!.join('')).toBe('MMHV');
  });

  it('have labels that do not overlap', () => {
    const series = [{ name: 'One' }, { name: 'Other' }];
    const { frame, zero } = layOutChart({ ...PLACE, series, points: days([1000, 1001], [1002, 1002]) });
    expect(zero).toBeNull();
    expect(Math.abs(frame.ends[0]!.y - frame.ends[1]!.y)).toBeGreaterThanOrEqual(14);
  });

  it('mark isolated points with a dot', () => {
    const points = days(
      ...Array.from({ length: 50 }, (_, index) => [index === 20 ? null : index === 21 ? 7 : index === 22 ? null : 1]),
    );
    const [line] = layOutChart({ ...PLACE, series: [{ name: 'Net' }], points }).series;
    expect(line!.dots).toHaveLength(1);
  });

  it("place names beside the last point's columns", () => {
    const points = days([5, 9, 2], [4, 8, 3]);
    const { series, frame } = layOutChart({ ...PLACE, series: [...COLUMNS, { name: 'Net' }], points });
    const { x, width } = series[1]!.columns.at(-1)!;
    expect(frame.ends[2]!.x).toBeGreaterThanOrEqual(x + width - 1e-9);
  });
});

describe('ticks', () => {
  it.each([
    [1_000_010, 1_000_250],
    [0.03, 0.03],
    [-2_500_001, -2_500_000],
  ])('have distinct names from %d to %d', (low, high) => {
    const { yTicks } = layOutChart({ ...PLACE, series: [{ name: 'Balance' }], points: days([low], [high]) });
    expect(yTicks.length).toBeGreaterThan(0);
    expect(new Set(yTicks.map(({ name }) => name)).size).toBe(yTicks.length);
  });

  it.each([
    [7, 7],
    [0.03, 0.03],
    [123_456_789, -5],
    [1, 1_000_000_000],
  ])('are round and spaced from %d to %d', (low, high) => {
    const { yTicks, frame } = layOutChart({ ...PLACE, series: COLUMNS, points: days([low, high], [high, low]) });
    expect(yTicks.length).toBeGreaterThan(1);
    for (const [index, { at }] of yTicks.entries()) {
      expect(at).toBeGreaterThanOrEqual(-1e-9);
      expect(at).toBeLessThanOrEqual(frame.height + 1e-9);
      if (index > 0) expect(yTicks[index - 1]!.at - at).toBeGreaterThanOrEqual(32 - 1e-9);
    }
  });

  it('of instants are round times within the range; a single one is centered', () => {
    const at = (hour: number, minute: number) => new Date(2026, 2, 1, hour, minute).toISOString();
    const points = [at(9, 7), at(9, 40), at(15, 2)].map((time, index) => ({ at: time, values: [index + 1] }));
    const layOf = (shown: typeof points) =>
      layOutChart({ ...PLACE, grain: 'instant', series: [{ name: 'Balance', as: 'steps' }], points: shown });
    const { xTicks, frame } = layOf(points);
    expect(xTicks.map(({ name }) => name)).toEqual(['10:00', '11:00', '12:00', '13:00', '14:00', '15:00']);
    expect(xTicks.every((tick) => tick.at >= 0 && tick.at <= frame.width)).toBe(true);
    const alone = layOf(points.slice(0, 1));
    expect(alone.frame.middles[0]).toBeCloseTo(alone.frame.width / 2);
  });
});
