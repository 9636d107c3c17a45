import { createSteadyClock } from '../src/clock.ts';
import { TestApp } from './harness.ts';

/** Starts a server with the product's steady clock, which follows no step of the machine's clock. `run` lets milliseconds pass, then looks at the schedule. */
export async function startSteadyApp(): Promise<{ t: TestApp; run: (ms: number) => Promise<void> }> {
  // How long the machine has run, whatever its clock says.
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
