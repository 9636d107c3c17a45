import { describe, expect, it, onTestFinished } from 'vitest';
import { setDayZone } from '../../lib/format/serverDays.ts';
import { hasFigures, pointName, pointText, shortAmount, spread, tickName, tickStep } from './chartPoints.ts';

const at = new Date(2025, 10, 20, 14).toISOString();

describe('chart points', () => {
  it('are hours and days of the server, with its sums', () => {
    setDayZone('Pacific/Kiritimati');
    onTestFinished(() => setDayZone(undefined));
    const midnight = '2025-11-19T10:00:00.000Z';
    expect(pointName({ at: midnight, values: [] }, 'hour')).toBe('20 Nov 2025, 00:00 – 01:00');
    expect(pointName({ at: midnight, values: [] }, 'day')).toBe('Thu 20 Nov 2025');
    expect(tickName(new Date(midnight), 'day', 0)).toBe('20 Nov');
    expect(tickName(new Date(midnight), 'instant', 3_600_000)).toBe(
      new Date(midnight).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }),
    );
  });

  it("have full names in the viewer's time zone", () => {
    expect(pointName({ at, values: [] }, 'hour')).toBe('20 Nov 2025, 14:00 – 15:00');
    expect(pointName({ at, values: [] }, 'day')).toBe('Thu 20 Nov 2025');
    expect(pointName({ at, values: [] }, 'month')).toBe('November 2025');
    expect(pointName({ at, values: [] }, 'instant')).toBe('20 Nov 2025, 14:00');
    expect(pointName({ at, name: '20–22 Nov', values: [] }, 'month')).toBe('20–22 Nov');
  });

  it('are described with each value', () => {
    const text = pointText({ at, values: [1250, null] }, 'day', [{ name: 'Play' }, { name: 'Net' }]);
    expect(text).toBe('Thu 20 Nov 2025: Play 1,250.00, Net –');
  });

  it('are worth drawing if one is not zero', () => {
    expect(hasFigures([])).toBe(false);
    expect(hasFigures([{ at, values: [0, null] }])).toBe(false);
    expect(hasFigures([{ at, values: [0, -1] }])).toBe(true);
  });
});

it('shortens tick names as far as the span allows', () => {
  const noon = new Date(2025, 10, 20, 12);
  expect(tickName(noon, 'hour', 0)).toBe('12:00');
  expect(tickName(noon, 'instant', 3_600_000)).toBe('12:00');
  expect(tickName(noon, 'instant', 30 * 86_400_000)).toBe('20 Nov');
  expect(tickName(noon, 'instant', 900 * 86_400_000)).toBe('Nov 2025');
  expect(shortAmount(-1_250_000)).toBe('−1.25M');
});

it('drops ticks with touching names', () => {
  expect(tickStep(24, 1400, 54)).toBe(1);
  expect(tickStep(24, 320, 54)).toBe(6);
  expect(tickStep(500, 320, 54)).toBe(96);
});

it('separates labels within the edges, keeping their order', () => {
  expect(spread([50, 20], 14, 7, 93)).toEqual([50, 20]);
  expect(spread([30, 30, 28], 14, 7, 93)).toEqual([42, 56, 28]);
  expect(spread([92, 93], 14, 7, 93)).toEqual([79, 93]);
});
