import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dyingAnywhere } from './dying-database.ts';
import type { TestApp } from './harness.ts';
import { SettlementWorld } from './settlement-world.ts';
import type { LaidDraw } from './settlement-world.ts';

/**
 * A server that dies between the last bet on a draw and its settlement leaves the draw to another server, which ends it. The server dies
 * before each statement, each commit and each answer to a commit.
 */

/** A draw comes to its end within so many of them, whatever else goes on. */
const MOST = 1_000;
const STEPS = ['open', 'closed', 'drawn', 'settling, 0 paid', 'settling, 1 paid', 'settling, 2 paid', 'settled'];

describe('a draw', () => {
  let world: SettlementWorld;
  let mortal: TestApp;
  /** Statements, commits and answers left before it dies. */
  let left = Infinity;
  let isDead = false;
  const dies = (): boolean => {
    isDead ||= --left < 0;
    return isDead;
  };
  beforeAll(async () => {
    world = await SettlementWorld.start();
    mortal = await world.t.beside({ through: (db) => dyingAnywhere(db, dies) });
    await mortal.app.tick();
  });
  afterAll(async () => {
    await mortal.close();
    await world.close();
  });

  /** Lets the mortal server bring a draw on until it dies, or to its end. Gives how far that came. */
  async function dieAfter(count: number, draw: LaidDraw): Promise<string> {
    [left, isDead] = [count, false];
    for (const until of ['close', 'draw'] as const) {
      world.moveTo(until);
      await mortal.app.tick().catch(() => {});
    }
    isDead = true;
    return world.stepOf(draw);
  }

  it(
    'ends once, as its seed says or void, wherever the server dies that moves it on',
    { timeout: 1_800_000 },
    async () => {
      const seen = new Set<string>();
      let count = 0;
      // What else a server commits may come before a step or after it: a step that was passed over is looked for once more.
      for (let tries = 0; !STEPS.every((step) => seen.has(step)); tries++) {
        expect(tries, `seen: ${[...seen].join(', ')}`).toBeLessThan(MOST);
        const draw = await world.lay();
        const step = await dieAfter(count, draw);
        seen.add(step);
        await world.conclude(draw);
        expect({ count, step, faults: await world.faultsOf(draw) }).toEqual({ count, step, faults: [] });
        count = step === 'settled' ? 0 : count + 1;
      }
      [left, isDead] = [Infinity, false];
      await world.t.expectBooksToBalance();
    },
  );
});
