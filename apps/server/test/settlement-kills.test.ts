import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dyingAnywhere } from './dying-database.ts';
import type { Before } from './dying-database.ts';
import { isWhole } from './how-much.ts';
import { endDead, SettlementWorld } from './settlement-world.ts';
import type { LaidDraw } from './settlement-world.ts';

/**
 * A server that dies anywhere between the last bet on a draw and its settlement leaves it to another one, which brings it to its end: around each commit, and in
 * `npm run test:long` before each statement too.
 */

/** What is due for a draw comes to its end within so many commits and answers, whatever else goes on. */
const MOST = isWhole ? 600 : 80;
const SELF_KEPT = ['open', 'closed', 'drawn', 'settling, 0 paid', 'settling, 1 paid', 'settling, 2 paid', 'settled'];

describe.each([
  { name: 'that the server keeps alone', isKept: false, isSilent: false, steps: SELF_KEPT },
  { name: 'of which a keeper has a part', isKept: true, isSilent: false, steps: [...SELF_KEPT, 'asked', 'answered'] },
  { name: 'whose keeper gives no answer', isKept: true, isSilent: true, steps: ['open', 'closed', 'asked', 'void'] },
])('a draw $name', ({ isKept, isSilent, steps }) => {
  let world: SettlementWorld;
  const seen = new Set<string>();
  beforeAll(async () => {
    world = await SettlementWorld.start(isKept);
  });
  afterAll(() => world.close());

  /** Has another server bring a draw to its end, which dies where it has come to so many commits and answers. Gives whether it did. */
  async function dieAfter(count: number, draw: LaidDraw): Promise<boolean> {
    let [left, isDead] = [Infinity, false];
    const dies = (before: Before): boolean => {
      if (isWhole || before !== 'statement') isDead ||= --left < 0;
      return isDead;
    };
    const { t, keeping } = world;
    const server = await t.beside({ through: (db) => dyingAnywhere(db, dies), ...(keeping && { keeping }) });
    try {
      left = count;
      for (const until of ['close', 'draw'] as const) {
        world.moveTo(until);
        await server.app.tick().catch(() => {});
      }
      for (let waits = 0; isSilent && waits < 12 && !isDead; waits++) {
        t.clock.advance(6_000);
        await server.app.tick().catch(() => {});
      }
      seen.add(await world.stepOf(draw));
      return isDead;
    } finally {
      isDead = true;
      await endDead(server);
    }
  }

  it(
    'ends once, as its seed says or void, wherever the server dies that moves it on',
    { timeout: isWhole ? 600_000 : 60_000 },
    async () => {
      for (let count = 0, isDead = true; isDead; count++) {
        expect(count).toBeLessThan(MOST);
        if (world.keeper) world.keeper.way = 'well';
        const draw = await world.lay();
        if (world.keeper && isSilent) world.keeper.way = 'away';
        isDead = await dieAfter(count, draw);
        const step = await world.stepOf(draw);
        await world.conclude(draw);
        expect({ count, step, faults: await world.faultsOf(draw) }).toEqual({ count, step, faults: [] });
      }
      expect([...seen]).toEqual(expect.arrayContaining(steps));
      await world.t.expectBooksToBalance();
    },
  );
});
