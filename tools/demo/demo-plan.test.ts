import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { builtInGame, FAMILIES } from '@drawhouse/rules/games/catalogue';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallFailed, patient, type Call, type CallOptions } from './client.ts';
import { DEMO_GAMES, demoNetworks, demoPlayers, everyone, MOST_PLAYERS, onePerRole, readPlayers } from './plan.ts';

const playersIn = (simulated?: number): string[] =>
  everyone(demoNetworks(simulated)).flatMap(({ role, username }) => (role === 'user' ? [username] : []));

describe('the plan of the demo', () => {
  it('includes games of every family', () => {
    expect(new Set(DEMO_GAMES.map((gameId) => builtInGame(gameId)!.family))).toEqual(new Set(FAMILIES));
  });

  it.each([1, 2, 7, MOST_PLAYERS])('with %i simulated players adds one for people to each network', (count) => {
    const simulated = demoPlayers(count).map(({ username }) => username);
    expect(simulated).toHaveLength(count);
    expect(playersIn(count)).toHaveLength(count + 2);
    expect(new Set(playersIn(count)).size).toBe(count + 2);
    const shown = onePerRole().map(({ username }) => username);
    expect(shown).toHaveLength(6);
    expect(simulated.filter((username) => shown.includes(username))).toEqual([]);
    expect(everyone(demoNetworks(count)).map(({ username }) => username)).toEqual(
      expect.arrayContaining(shown.slice(1)),
    );
  });
});

describe('--players', () => {
  it('accepts a valid number of players', () => {
    expect([readPlayers([]), readPlayers(['--players', '3'])]).toEqual([MOST_PLAYERS, 3]);
    for (const wrong of ['0', '-1', '1.5', 'many', String(MOST_PLAYERS + 1), ''])
      expect(() => readPlayers([`--players=${wrong}`])).toThrow(`from 1 to ${MOST_PLAYERS}`);
    for (const args of [['--player', '3'], ['3'], ['--players']]) expect(() => readPlayers(args)).toThrow('Usage');
  });
});

describe('a patient client', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const noAnswer = (): CallFailed => new CallFailed('POST x', 'NO_RESPONSE', 'no answer', 0);
  const tries: (CallOptions | undefined)[] = [];
  const failing = (failures: readonly CallFailed[]): Call => {
    const left = [...failures];
    return (async (_route: unknown, _input: unknown, options?: CallOptions) => {
      tries.push(options);
      const failure = left.shift();
      if (failure) throw failure;
      return 'done';
    }) as unknown as Call;
  };
  const give = (call: Call): Promise<unknown> =>
    patient(call, new AbortController().signal)(
      accountRoutes.user.creditTransfer,
      { body: { toUserId: 'x', transferAmount: 1, password: 'y' } },
      { idempotencyKey: 'the key' },
    );
  beforeEach(() => void (tries.length = 0));

  it('retries unanswered calls many times with the same key', async () => {
    const given = give(failing(Array.from({ length: 12 }, noAnswer)));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await given).toBe('done');
    expect(tries).toEqual(Array.from({ length: 13 }, () => ({ idempotencyKey: 'the key' })));
  });

  it('never retries refused calls', async () => {
    await expect(give(failing([new CallFailed('POST x', 'INVALID_INPUT', 'no', 400)]))).rejects.toThrow('no');
    expect(tries).toHaveLength(1);
  });

  it('gives up after some minutes', async () => {
    const given = give(failing(Array.from({ length: 1_000 }, noAnswer))).catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(400_000);
    expect(await given).toBe('no answer');
    expect(tries.length).toBeLessThan(100);
  });
});
