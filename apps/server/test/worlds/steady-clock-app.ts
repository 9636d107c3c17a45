import { createSteadyClock } from '../../src/platform/time/clock.ts';
import { TestApp } from '../harness.ts';

/** Uses the product's steady clock. `run` advances uptime in milliseconds, then runs the schedule. */
export async function startSteadyApp(): Promise<{ t: TestApp; run: (ms: number) => Promise<void> }> {
  let elapsedMs = 0;
  const t = await TestApp.start({
    clockOf: (moved) =>
      createSteadyClock(() => {}, { clockMs: () => moved.now().getTime(), elapsedMs: () => elapsedMs }),
  });
  return {
    t,
    async run(ms) {
      elapsedMs += ms;
      t.clock.advance(ms);
      await t.app.tick();
    },
  };
}
