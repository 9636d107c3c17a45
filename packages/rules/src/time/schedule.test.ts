import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comingDraws, drawAt, drawToOpen, nextToOpen, type Cadence } from './schedule.ts';

const instant = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const every = (seconds: number): Cadence => ({ seconds, schedule: null, closures: null, timeZone: 'UTC' });
const interval = fc.integer({ min: 1, max: 86_400 });

describe('the draw of an instant', () => {
  it('is the one whose interval contains it, and closes before its draw time', () => {
    fc.assert(
      fc.property(instant, interval, (now, seconds) => {
        const { number, opensAt, closesAt, drawsAt } = drawAt(now, seconds);
        expect(opensAt.getTime()).toBe(number * seconds * 1000);
        expect(drawsAt.getTime() - opensAt.getTime()).toBe(seconds * 1000);
        expect(opensAt <= now && now < drawsAt).toBe(true);
        expect(opensAt < closesAt && closesAt < drawsAt).toBe(true);
      }),
    );
  });

  it('stays the same from first to last millisecond, then advances', () => {
    fc.assert(
      fc.property(instant, interval, (now, seconds) => {
        const draw = drawAt(now, seconds);
        expect(drawAt(draw.opensAt, seconds)).toEqual(draw);
        expect(drawAt(new Date(draw.drawsAt.getTime() - 1), seconds)).toEqual(draw);
        expect(drawAt(draw.drawsAt, seconds)).toMatchObject({ number: draw.number + 1, opensAt: draw.drawsAt });
        expect(drawAt(new Date(draw.opensAt.getTime() - 1), seconds)).toMatchObject({
          number: draw.number - 1,
          drawsAt: draw.opensAt,
        });
      }),
    );
  });

  it.each([
    [3600, 5000],
    [60, 5000],
    [30, 5000],
    [24, 4000],
    [12, 2000],
    [6, 1000],
    [1, 167],
  ])('of %d seconds closes %d ms before its draw time', (seconds, closeBeforeMs) => {
    const { closesAt, drawsAt } = drawAt(new Date('2026-03-10T10:00:00.500Z'), seconds);
    expect(drawsAt.getTime() - closesAt.getTime()).toBe(closeBeforeMs);
  });

  it('matches a manual calculation', () => {
    expect(drawAt(new Date('2026-03-10T10:00:42.123Z'), 60)).toEqual({
      number: 29_552_280,
      opensAt: new Date('2026-03-10T10:00:00.000Z'),
      closesAt: new Date('2026-03-10T10:00:55.000Z'),
      drawsAt: new Date('2026-03-10T10:01:00.000Z'),
    });
  });
});

describe('drawToOpen and nextToOpen', () => {
  const at = (clock: string): Date => new Date(`2026-03-10T${clock}Z`);
  const alone = { lastEnd: null, nextStart: null };

  it("opens the interval's draw unless too late to bet", () => {
    expect(drawToOpen(at('10:00:54'), every(60), alone)).toEqual(drawAt(at('10:00:00'), 60));
    expect(drawToOpen(at('10:00:55'), every(60), alone)).toBeUndefined();
    expect(nextToOpen(at('10:00:54'), every(60), null)?.opensAt).toEqual(at('10:00:00'));
    expect(nextToOpen(at('10:00:55'), every(60), null)?.opensAt).toEqual(at('10:01:00'));
  });

  it.each([
    ['10:05:00', 60, '10:05:00'],
    ['10:05:00', 300, '10:05:00'],
    ['10:05:00', 240, '10:08:00'],
    ['10:05:00', 3600, '11:00:00'],
  ])('continues after a draw ending at %s, every %i seconds, from %s', (end, seconds, opens) => {
    const lastEnd = at(end);
    expect(nextToOpen(at('10:03:00'), every(seconds), lastEnd)?.opensAt).toEqual(at(opens));
    expect(nextToOpen(lastEnd, every(seconds), lastEnd)?.opensAt).toEqual(at(opens));
    expect(drawToOpen(at(opens), every(seconds), { lastEnd, nextStart: null })).toEqual(drawAt(at(opens), seconds));
    expect(drawToOpen(new Date(at(opens).getTime() - 1), every(seconds), { lastEnd, nextStart: null })).toBeUndefined();
  });

  it('opens none inside a draw that a fast clock opened', () => {
    const nextStart = at('10:04:00');
    expect(drawToOpen(at('10:02:00'), every(300), { lastEnd: null, nextStart })).toBeUndefined();
    expect(drawToOpen(at('10:02:00'), every(120), { lastEnd: null, nextStart })).toEqual(drawAt(at('10:02:00'), 120));
  });
});

describe('a cadence', () => {
  const schedule = { times: ['13:00', '19:00'], weekdays: [1, 2, 3, 4, 5, 6], daysOff: [], daysOn: [] };
  const clocks = { ...every(60), schedule: { ...schedule, opensAt: '09:00', closesBefore: 5 } };
  const at = (clock: string): Date => new Date(`2026-03-10T${clock}:00Z`);
  const alone = { lastEnd: null, nextStart: null };

  it('opens a scheduled draw no earlier than its betting', () => {
    expect(drawToOpen(at('08:59'), clocks, alone)).toBeUndefined();
    expect(drawToOpen(at('09:00'), clocks, alone)?.drawsAt).toEqual(at('13:00'));
    expect(drawToOpen(at('12:55'), clocks, alone)).toBeUndefined();
    expect(nextToOpen(at('12:55'), clocks, null)?.opensAt).toEqual(at('13:00'));
  });

  it('starts a schedule right after the running draw, and an interval at its next boundary', () => {
    const running = { lastEnd: at('12:30'), nextStart: null };
    expect(drawToOpen(at('12:30'), clocks, running)).toMatchObject({ opensAt: at('12:30'), drawsAt: at('13:00') });
    expect(nextToOpen(at('12:00'), clocks, at('12:30'))).toMatchObject({ opensAt: at('12:30'), drawsAt: at('13:00') });
    expect(nextToOpen(at('12:00'), clocks, at('12:57'))).toMatchObject({ opensAt: at('13:00'), drawsAt: at('19:00') });
    expect(nextToOpen(at('12:00'), every(3600), at('12:30'))?.opensAt).toEqual(at('13:00'));
  });

  it("leaves out closed draws of either kind and keeps the others' times", () => {
    const closures = { days: ['2026-03-11'], hours: [{ from: '01:00', to: '14:00' }] };
    const times = (cadence: Cadence, count: number) =>
      comingDraws(at('00:59'), { ...cadence, closures }, null, count).map(({ opensAt, drawsAt }) =>
        [opensAt, drawsAt].map((each) => each.toISOString().slice(8, 16)).join(' '),
      );
    expect(times(clocks, 2)).toEqual(['10T13:00 10T19:00', '12T13:00 12T19:00']);
    expect(times(every(3600), 2)).toEqual(['10T13:00 10T14:00', '10T14:00 10T15:00']);
    expect(nextToOpen(at('23:30'), { ...every(3600), closures }, null)?.drawsAt).toEqual(new Date('2026-03-12T00:00Z'));
  });

  it('that is always closed never draws', () => {
    const closures = {
      days: [],
      hours: [
        { from: '12:00', to: '00:00' },
        { from: '00:00', to: '12:00' },
      ],
    };
    expect(nextToOpen(at('10:00'), { ...clocks, closures }, null)).toBeUndefined();
    expect(comingDraws(at('10:00'), { ...every(1), closures }, null, 20)).toEqual([]);
  });
});
