import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dyingAnywhere } from '../processes/dying-database.ts';
import type { TestApp } from '../harness.ts';
import { SettlementWorld, type LaidDraw } from '../worlds/settlement-world.ts';

/**
 * A server killed between last bet and settlement leaves the draw to another server. Kills before each statement,
 * commit and commit answer.
 */

const MOST = 1_000;
const STEPS = ['open', 'closed', 'drawn', 'settling, 0 paid', 'settling, 1 paid', 'settling, 2 paid', 'settled'];

describe('a draw under kills', () => {
  let world: SettlementWorld;
  let mortal: TestApp;
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

  async function dieAfter(count: number, draw: LaidDraw): Promise<string> {
    [left, isDead] = [count, false];
    for (const until of ['close', 'draw'] as const) {
      world.moveTo(until);
      await mortal.app.tick().catch(() => {});
    }
    isDead = true;
    return world.stepOf(draw);
  }

  it('ends once, by its seed or void, wherever the moving server dies', async () => {
    const seen = new Set<string>();
    let count = 0;
    // Other commits may shift steps, so missed ones are tried again.
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
  });
});
