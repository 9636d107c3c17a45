import { expect, it, vi } from 'vitest';
import type { Call } from '../../tools/demo/client.ts';
import { simulate } from './crowd.ts';
import { Tally } from './tally.ts';
import { ACCEPTED, type Wire } from './http-wire.ts';

const FAR_MS = 3_600_000;
const GAME = 'funtargetbingo';
const RATE = 400;

const call = (async (route: { path: string }) => {
  if (route.path === 'app/games') return { data: [{ gameId: GAME, family: 'numbers' }] };
  const later = new Date(Date.now() + FAR_MS).toISOString();
  const draw = { closesAt: later, drawsAt: later, status: 'open' };
  return {
    family: 'numbers',
    outcomes: Array.from({ length: 10 }, () => ({})),
    unitPrice: 1,
    serverTime: new Date().toISOString(),
    draw,
  };
}) as unknown as Call;

/** The wire answers immediately; time is faked. */
async function play(isFree: () => boolean): Promise<Tally> {
  const tally = new Tally();
  const wire: Wire = {
    join: async () => {},
    get free() {
      return isFree();
    },
    bet: (_sender, _body, answer) => queueMicrotask(() => answer(ACCEPTED)),
    close: () => {},
  };
  const players = Array.from({ length: 10 }, (_, index) => ({ username: `player-${index}`, token: 'token' }));
  const signal = new AbortController().signal;
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
  try {
    let isOver = false;
    const simulated = simulate(
      { wire, call, players, rate: RATE, seconds: 0.5, signal, lines: 1, together: true },
      tally,
    ).finally(() => (isOver = true));
    while (!isOver) await vi.advanceTimersByTimeAsync(1);
    await simulated;
  } finally {
    vi.useRealTimers();
  }
  return tally;
}

it('keeps the demand while the server lags and measures latency from the due time', async () => {
  let askedAt: number | undefined;
  const tally = await play(() => performance.now() - (askedAt ??= performance.now()) > 300);
  expect(tally.accepted + tally.unsent.busy).toBeGreaterThan(RATE / 5);
  // Bets due in the first third waited for most of the rest.
  expect(tally.latencies.mostMs).toBeGreaterThan(100);
});

it('counts due bets that could not be sent', async () => {
  const tally = await play(() => false);
  expect(tally.accepted).toBe(0);
  expect(tally.unsent.busy).toBeGreaterThan(RATE / 5);
});
