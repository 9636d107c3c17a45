import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawAt, drawToOpen, nextToOpen } from './schedule.ts';

const instant = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
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
    expect(drawToOpen(at('10:00:54'), 60, alone)).toEqual(drawAt(at('10:00:00'), 60));
    expect(drawToOpen(at('10:00:55'), 60, alone)).toBeUndefined();
    expect(nextToOpen(at('10:00:54'), 60, null).opensAt).toEqual(at('10:00:00'));
    expect(nextToOpen(at('10:00:55'), 60, null).opensAt).toEqual(at('10:01:00'));
  });

  it.each([
    ['10:05:00', 60, '10:05:00'],
    ['10:05:00', 300, '10:05:00'],
    ['10:05:00', 240, '10:08:00'],
    ['10:05:00', 3600, '11:00:00'],
  ])('continues after a draw ending at %s, every %i seconds, from %s', (end, seconds, opens) => {
    const lastEnd = at(end);
    expect(nextToOpen(at('10:03:00'), seconds, lastEnd).opensAt).toEqual(at(opens));
    expect(nextToOpen(lastEnd, seconds, lastEnd).opensAt).toEqual(at(opens));
    expect(drawToOpen(at(opens), seconds, { lastEnd, nextStart: null })).toEqual(drawAt(at(opens), seconds));
    expect(drawToOpen(new Date(at(opens).getTime() - 1), seconds, { lastEnd, nextStart: null })).toBeUndefined();
  });

  it('opens none inside a draw that a fast clock opened', () => {
    const nextStart = at('10:04:00');
    expect(drawToOpen(at('10:02:00'), 300, { lastEnd: null, nextStart })).toBeUndefined();
    expect(drawToOpen(at('10:02:00'), 120, { lastEnd: null, nextStart })).toEqual(drawAt(at('10:02:00'), 120));
  });
});
