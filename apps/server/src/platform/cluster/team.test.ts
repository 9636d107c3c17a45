import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectTeams } from '../../../test/processes/test-teams.ts';
import { createRateLimit } from '../http/limits/http-limits.ts';

afterEach(() => vi.useRealTimers());

const PROCESSES = 3;
const slot = fc.nat(PROCESSES - 1);

describe('seats of all processes together', () => {
  it('are the newest of each group, and a killed process frees its own', async () => {
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ does: fc.constant('take' as const), slot, group: fc.constantFrom('a', 'b') }),
      },
      { weight: 2, arbitrary: fc.record({ does: fc.constant('leave' as const), nth: fc.nat() }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant('kill' as const), slot: fc.constant(PROCESSES - 1) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { teams, kill, settle } = connectTeams(PROCESSES);
        let expected: { group: string; slot: number; nth: number }[] = [];
        const open = new Map<number, { leave: () => void; slot: number }>();
        let count = 0;
        let isKilled = false;
        for (const each of steps) {
          if (each.does === 'take' && !(isKilled && each.slot === PROCESSES - 1)) {
            const nth = count++;
            const leave = teams[each.slot]!.seats.take(each.group, { most: 3, goes: 'oldest' }, () => open.delete(nth));
            open.set(nth, { leave, slot: each.slot });
            expected.push({ group: each.group, slot: each.slot, nth });
            const of = expected.filter(({ group }) => group === each.group);
            if (of.length > 3) expected = expected.filter((one) => one !== of[0]);
          } else if (each.does === 'leave' && open.size > 0) {
            const [nth, { leave }] = [...open][each.nth % open.size]!;
            leave();
            open.delete(nth);
            expected = expected.filter((one) => one.nth !== nth);
          } else if (each.does === 'kill') {
            isKilled = true;
            kill(PROCESSES - 1);
            expected = expected.filter((one) => one.slot !== PROCESSES - 1);
            for (const [nth, seat] of open) if (seat.slot === PROCESSES - 1) open.delete(nth);
          }
          await settle();
          expect([...open.keys()]).toEqual(expected.map(({ nth }) => nth));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are full for the newest where that is the rule', async () => {
    const { teams, settle } = connectTeams(2);
    const vacated: number[] = [];
    const seats: (() => void)[] = [];
    for (const [nth, of] of [0, 1, 0, 1].entries()) {
      seats.push(teams[of]!.seats.take('address', { most: 2, goes: 'newest' }, () => vacated.push(nth)));
      await settle();
    }
    expect(vacated).toEqual([2, 3]);
    seats[0]!();
    await settle();
    teams[1]!.seats.take('address', { most: 2, goes: 'newest' }, () => vacated.push(4));
    await settle();
    expect(vacated).toEqual([2, 3]);
  });
});

describe('a rate limit of all processes together', () => {
  it('grants at most a quarter of a burst too much, however calls are spread', async () => {
    const calls = fc.array(fc.record({ slot, waitMs: fc.nat(400), cost: fc.integer({ min: 1, max: 5 }) }), {
      minLength: 100,
      maxLength: 200,
    });
    const rate = { perSecond: 5, burst: 40 };
    await fc.assert(
      fc.asyncProperty(calls, async (all) => {
        const { teams, settle } = connectTeams(PROCESSES);
        let now = 0;
        const limits = teams.map((team) => createRateLimit(rate, () => now, { shared: { name: 'session', team } }));
        let granted = 0;
        for (const call of all) {
          now += call.waitMs;
          if (limits[call.slot]!.take('token', call.cost) === 0) granted += call.cost;
          await settle();
        }
        expect(granted).toBeLessThanOrEqual(rate.burst * 1.25 + (now / 1_000) * rate.perSecond);
      }),
      { numRuns: 40 },
    );
  });

  it('still grants a whole burst to a caller who uses one process', async () => {
    const { teams, settle } = connectTeams(PROCESSES);
    const [limit] = teams.map((team) =>
      createRateLimit({ perSecond: 1, burst: 40 }, () => 0, { shared: { name: 'session', team } }),
    );
    for (let nth = 0; nth < 40; nth++) {
      expect(limit!.take('token')).toBe(0);
      await settle();
    }
    expect(limit!.take('token')).toBeGreaterThan(0);
  });
});

describe('permits', () => {
  it('limit concurrent works across all processes, also after one was killed', async () => {
    const { teams, kill, settle } = connectTeams(PROCESSES);
    const running: { slot: number; end: () => void }[] = [];
    let ended = 0;
    const begin = (of: number): void =>
      void teams[of]!.inPermit('hash', 2, () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        running.push({ slot: of, end: resolve });
        return promise;
      }).then(() => ended++);
    for (let nth = 0; nth < 9; nth++) begin(nth % PROCESSES);
    await settle();
    expect(running.map((one) => one.slot)).toEqual([0, 0]);
    kill(0);
    running.splice(0);
    await settle();
    expect(running).toHaveLength(2);
    while (ended < 6) {
      running.shift()!.end();
      await settle();
      expect(running.length).toBeLessThanOrEqual(2);
    }
    expect(running).toEqual([]);
  });
});

it('readings of all processes leave out one that hangs or was killed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { teams, kill, settle } = connectTeams(PROCESSES, undefined, 50);
  for (const [nth, team] of teams.entries())
    team.onRead(() => (nth === 1 ? new Promise(() => {}) : Promise.resolve({ nth, unknown: Number.NaN })));
  const others = [0, 2].map((nth) => ({ nth, unknown: Number.NaN }));
  const all = teams[0]!.readAll();
  await settle();
  vi.advanceTimersByTime(50);
  expect(await all).toEqual(others);
  const read = teams[0]!.readAll();
  kill(1);
  expect(await read).toEqual(others);
});
