import { randomInt } from 'node:crypto';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dyingAnywhere } from '../processes/dying-database.ts';
import type { TestApp } from '../harness.ts';
import { endDead, SettlementWorld } from '../worlds/settlement-world.ts';
import { Turnstile } from '../statements/turnstile.ts';

/** A tenth of the bet interleavings, because each takes long. */
const INTERLEAVINGS = Math.ceil(Number(process.env['INTERLEAVINGS'] ?? 200) / 10);
const SEED = Number(process.env['INTERLEAVINGS_SEED'] ?? randomInt(2 ** 31));
const GAME = 'funtargetbingo';

const server = fc.nat({ max: 1 });
const anyCommand = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('tick' as const), server }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('kill' as const), server }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('void' as const, 'generate' as const, 'declare' as const), server }),
  },
);
type Command = typeof anyCommand extends fc.Arbitrary<infer T> ? T : never;

/** Two servers settle draws in scheduler order and die midway. */
class Pair {
  readonly #world: SettlementWorld;
  readonly #turnstile: Turnstile;
  readonly #servers: { app: TestApp; life: { isDead: boolean } }[] = [];
  kills = 0;

  private constructor(world: SettlementWorld) {
    this.#world = world;
    this.#turnstile = new Turnstile(world.t.db);
  }

  static async start(world: SettlementWorld): Promise<Pair> {
    const pair = new Pair(world);
    for (const at of [0, 1]) await pair.#start(at);
    return pair;
  }

  async #start(at: number): Promise<void> {
    const life = { isDead: false };
    const app = await this.#world.t.beside({
      poolSize: 20,
      through: (db) => dyingAnywhere(this.#turnstile.through(db), () => life.isDead),
    });
    this.#servers[at] = { app, life };
  }

  /** Plays on a due draw. Returns outcomes of commands that end it. */
  async play(
    commands: readonly Command[],
    scheduler: fc.Scheduler,
  ): Promise<{ do: string; status: number; drawId: string | undefined }[]> {
    const asAdmin = await this.#world.asAdmin();
    const play = async ({ do: does, server: at }: Command) => {
      await this.#turnstile.pass(does);
      const { app, life } = this.#servers[at]!;
      const pair = { gameId: GAME, adminId: this.#world.net.admin._id };
      if (does === 'tick') await app.app.tick().catch(() => {});
      else if (does === 'kill') {
        life.isDead = true;
        this.kills++;
      } else {
        const { status, body } =
          does === 'void'
            ? await app.call(voidDraw, { body: { ...pair, reason: 'interleaving' } }, asAdmin)
            : does === 'generate'
              ? await app.call(generateResult, { body: pair }, asAdmin)
              : await app.call(addResult, { body: { ...pair, result: '3' } }, asAdmin);
        return [{ do: does, status, drawId: (body as { drawId?: string }).drawId }];
      }
      return [];
    };
    try {
      return (await this.#turnstile.drive(scheduler, () => Promise.all(commands.map(play)))).flat();
    } finally {
      for (const [at, { app, life }] of this.#servers.entries())
        if (life.isDead) {
          await endDead(app);
          await this.#start(at);
        }
    }
  }

  async close(): Promise<void> {
    for (const { app } of this.#servers) await app.close();
  }
}

describe('draws under interleavings', () => {
  let world: SettlementWorld;
  let pair: Pair;
  beforeAll(async () => {
    world = await SettlementWorld.start();
    pair = await Pair.start(world);
  });
  afterAll(async () => {
    await pair.close();
    await world.close();
  });

  it(
    `end once, by their seeds or void, in ${INTERLEAVINGS} interleavings of two dying servers`,
    { timeout: 120_000 + INTERLEAVINGS * 10_000 },
    async () => {
      console.log(`the interleavings: INTERLEAVINGS_SEED=${SEED}`);
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('close' as const, 'draw' as const),
          fc.array(anyCommand, { minLength: 3, maxLength: 8 }),
          fc.scheduler(),
          async (until, commands, scheduler) => {
            const draw = await world.lay();
            world.moveTo(until);
            const ended = await pair.play(commands, scheduler);
            await world.conclude(draw);
            expect(await world.faultsOf(draw)).toEqual([]);
            const status = await world.stepOf(draw);
            for (const one of ended)
              if (one.status === 200 && one.drawId === draw.id && one.do !== 'declare')
                expect([one.do, status]).toEqual([one.do, one.do === 'void' ? 'void' : 'settled']);
          },
        ),
        { seed: SEED, numRuns: INTERLEAVINGS },
      );
      console.log(`${INTERLEAVINGS} played, ${pair.kills} servers killed`);
      await world.t.expectBooksToBalance();
    },
  );
});
