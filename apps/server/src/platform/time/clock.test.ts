import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSteadyClock, type StepBack, type SteadyClock } from './clock.ts';

const START_MS = Date.parse('2026-03-10T10:00:00.000Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function machineOf(): {
  clock: SteadyClock;
  steps: StepBack[];
  toldMs: () => number;
  run: (ms: number) => void;
  set: (byMs: number) => void;
} {
  const steps: StepBack[] = [];
  let [elapsedMs, aheadMs] = [5_000, START_MS];
  const machine = { elapsedMs: () => elapsedMs, clockMs: () => Math.floor(elapsedMs - 5_000 + aheadMs) };
  return {
    clock: createSteadyClock((step) => void steps.push(step), machine),
    steps,
    toldMs: machine.clockMs,
    run: (ms) => void (elapsedMs += ms),
    set: (byMs) => void (aheadMs += byMs),
  };
}

describe('the time of a server', () => {
  it("is its machine's, including forward steps", () => {
    const { clock, run, set } = machineOf();
    expect(clock.now()).toEqual(new Date(START_MS));
    run(1_234);
    expect(clock.now()).toEqual(new Date(START_MS + 1_234));
    set(HOUR_MS);
    expect(clock.now()).toEqual(new Date(START_MS + HOUR_MS + 1_234));
  });

  it("knows its machine's last jump: forward two seconds or back one", () => {
    const { clock, run, set } = machineOf();
    run(5_000);
    set(1_900);
    clock.now();
    expect(clock.lastStep()).toBeUndefined();
    set(HOUR_MS);
    clock.now();
    expect(clock.lastStep()).toEqual({ at: new Date(START_MS + 6_900 + HOUR_MS), byMs: HOUR_MS });
    set(-3_000);
    clock.now();
    expect(clock.lastStep()).toMatchObject({ byMs: -3_000 });
    run(HOUR_MS);
    clock.now();
    expect(clock.lastStep()).toMatchObject({ byMs: -3_000 });
    expect(clock.stepCount()).toBe(2);
  });

  it('runs at half speed after a backward step up to a minute until caught up', () => {
    const { clock, steps, run, set } = machineOf();
    set(-27_000);
    expect(clock.now()).toEqual(new Date(START_MS));
    run(10_000);
    expect(clock.now()).toEqual(new Date(START_MS + 5_000));
    run(43_000);
    expect(clock.now()).toEqual(new Date(START_MS + 26_500));
    run(1_000);
    expect(clock.now()).toEqual(new Date(START_MS + 27_000));
    run(1_000);
    expect(clock.now()).toEqual(new Date(START_MS + 28_000));
    expect(steps).toEqual([{ byMs: 27_000, from: new Date(START_MS), isSlewed: true }]);
    expect(clock.behindUntil()).toBeUndefined();
  });

  it('follows larger backward steps and reports until when it is behind', () => {
    const { clock, steps, run, set } = machineOf();
    set(-HOUR_MS);
    expect(clock.now()).toEqual(new Date(START_MS - HOUR_MS));
    expect(steps).toEqual([{ byMs: HOUR_MS, from: new Date(START_MS), isSlewed: false }]);
    expect(clock.behindUntil()).toEqual(new Date(START_MS));
    set(-MINUTE_MS);
    run(HOUR_MS + MINUTE_MS - 1);
    expect(clock.behindUntil()).toEqual(new Date(START_MS));
    run(1);
    expect(clock.behindUntil()).toBeUndefined();
    expect(clock.now()).toEqual(new Date(START_MS));
  });

  it("continues from the previous server's time", () => {
    const small = machineOf();
    small.clock.goOnFrom(new Date(START_MS + MINUTE_MS));
    small.run(10_000);
    expect(small.clock.now()).toEqual(new Date(START_MS + MINUTE_MS + 5_000));
    const large = machineOf();
    large.clock.goOnFrom(new Date(START_MS + MINUTE_MS + 1));
    expect(large.clock.now()).toEqual(new Date(START_MS));
    expect(large.clock.behindUntil()).toEqual(new Date(START_MS + MINUTE_MS + 1));
    const none = machineOf();
    none.clock.goOnFrom(new Date(START_MS - 1));
    expect(none.clock.now()).toEqual(new Date(START_MS));
    expect(none.steps).toEqual([]);
  });

  const runs = fc.double({ min: 0, max: 5_000, noNaN: true });
  const paths = (mostBackMs: number): fc.Arbitrary<{ runMs: number; setMs: number }[]> =>
    fc.array(fc.record({ runMs: runs, setMs: fc.integer({ min: -mostBackMs, max: MINUTE_MS }) }), { maxLength: 40 });

  it('never goes back for steps up to a minute and converges to the clock', () => {
    fc.assert(
      fc.property(paths(MINUTE_MS - 1), (path) => {
        const { clock, toldMs, run, set } = machineOf();
        let lastMs = clock.now().getTime();
        for (const { runMs, setMs } of path) {
          run(runMs);
          set(setMs);
          const nowMs = clock.now().getTime();
          expect(nowMs).toBeGreaterThanOrEqual(Math.max(lastMs, toldMs()));
          lastMs = nowMs;
        }
        run(2 * (lastMs - toldMs()) + 2);
        expect(clock.now().getTime()).toBe(toldMs());
      }),
    );
  });

  it('goes back only for larger steps and is behind until caught up', () => {
    fc.assert(
      fc.property(paths(HOUR_MS), (path) => {
        const { clock, steps, toldMs, run, set } = machineOf();
        let [lastMs, furthestMs] = [START_MS, START_MS];
        for (const { runMs, setMs } of path) {
          run(runMs);
          set(setMs);
          const nowMs = clock.now().getTime();
          const last = steps.pop();
          steps.length = 0;
          if (last?.isSlewed === false) expect(nowMs).toBe(toldMs());
          else expect(nowMs).toBeGreaterThanOrEqual(Math.max(lastMs, toldMs()));
          lastMs = nowMs;
          furthestMs = Math.max(furthestMs, nowMs, last?.from.getTime() ?? 0);
        }
        if (lastMs < furthestMs) expect(clock.behindUntil()).toEqual(new Date(furthestMs));
        else expect(clock.behindUntil()).toBeUndefined();
      }),
    );
  });
});
