import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../test/harness.ts';
import { INTERVALS, IntervalWorld, type IntervalDraw } from '../../test/worlds/interval-world.ts';

let t: TestApp;
let other: IntervalWorld['other'];
let world: IntervalWorld;

beforeAll(async () => {
  world = await IntervalWorld.start();
  ({ t, other } = world);
});
afterAll(() => t.close());

const startAnew = () => world.startAnew();
const setOpen = (open: boolean) => world.setOpen(open);
const changeInterval = (seconds: number) => world.changeInterval(seconds);
const drawsOf = () => world.draws();

type Step =
  | { do: 'wait'; seconds: number }
  | { do: 'step'; seconds: number }
  | { do: 'change'; seconds: number; beside: boolean }
  | { do: 'open'; open: boolean };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        seconds: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 90_000 })),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('step' as const), seconds: fc.integer({ min: -400, max: 400 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('change' as const),
        seconds: fc.constantFrom(...INTERVALS),
        beside: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('open' as const), open: fc.boolean() }) },
  ),
  { minLength: 8, maxLength: 30 },
);

const tickOf: readonly (() => Promise<unknown>)[] = [
  () => t.app.tick(),
  () => other.machine.tick(),
  () => Promise.all([t.app.tick(), other.machine.tick()]),
];

/**
 * First interval boundary at or after the previous end, unless betting would start too late. Source: domain notes,
 * section 3.
 */
function dueAt(now: number, interval: number, before: readonly IntervalDraw[]): number | undefined {
  const last = Math.max(0, ...before.filter((draw) => draw.opens <= now).map((draw) => draw.ends));
  const first = Math.ceil(last / interval) * interval;
  const slot = Math.floor(now / interval) * interval;
  const closesBefore = interval >= 30 ? 5 : interval / 6;
  const ahead = before.some((draw) => draw.opens > now && draw.opens < slot + interval);
  return last <= now && slot >= first && !ahead && now < slot + interval - closesBefore ? slot : undefined;
}

describe('for any sequence of intervals', () => {
  it('draws never overlap or get skipped, open by the current interval, and all settle', async () => {
    let interval = 60;
    let opened = 0;
    let gaps = 0;
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(fc.nat({ max: 2 }), { minLength: 30, maxLength: 30 }),
        async (sequence, ticks) => {
          await startAnew();
          interval = 60;
          let isOpen = true;
          for (const [index, step] of sequence.entries()) {
            const before = await drawsOf();
            const tick = tickOf[ticks[index]!]!;
            let allowed = [interval];
            if (step.do === 'wait' || step.do === 'step') {
              t.clock.advance(step.seconds * 1000);
              other.clock.set(t.clock.now());
              await tick();
            } else if (step.do === 'open') {
              await setOpen((isOpen = step.open));
              await tick();
            } else {
              allowed = step.beside ? [interval, step.seconds] : [step.seconds];
              interval = step.seconds;
              if (step.beside) await Promise.all([changeInterval(interval), tick()]);
              else await changeInterval(interval).then(tick);
            }
            const after = await drawsOf();
            const known = new Set(before.map((draw) => draw.id));
            const fresh = after.filter((draw) => !known.has(draw.id));
            opened += fresh.length;
            const now = t.clock.now().getTime() / 1000;
            for (const [place, draw] of after.entries())
              if (place > 0) expect(draw.opens).toBeGreaterThanOrEqual(after[place - 1]!.ends);
            expect(fresh.length).toBeLessThanOrEqual(1);
            for (const draw of fresh) {
              expect(isOpen).toBe(true);
              expect(allowed).toContain(draw.ends - draw.opens);
              expect(draw.opens % (draw.ends - draw.opens)).toBe(0);
            }
            if (step.do !== 'change' || !step.beside) {
              const due = isOpen ? dueAt(now, interval, before) : undefined;
              expect(fresh.map((draw) => draw.opens)).toEqual(due === undefined ? [] : [due]);
              if (isOpen && !after.some((draw) => draw.opens <= now && draw.ends > now)) gaps++;
            }
          }
          await setOpen(false);
          t.clock.advance(2 * 86_400_000);
          other.clock.set(t.clock.now());
          await t.app.tick();
          expect((await drawsOf()).filter((draw) => draw.status !== 'settled')).toEqual([]);
          expect(Math.max(...(await drawsOf()).map((draw) => draw.ends))).toBeLessThanOrEqual(
            t.clock.now().getTime() / 1000,
          );
        },
      ),
      { numRuns: 14 },
    );
    expect(opened).toBeGreaterThan(20);
    expect(gaps).toBeGreaterThan(1);
    await t.expectBooksToBalance();
  });
});
