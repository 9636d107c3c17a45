import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallError } from '../../../platform/http/http-errors.ts';
import {
  beginBatch,
  endBatch,
  endWait,
  isIdle,
  mayBegin,
  newLane,
  refuseLate,
  takeLocked,
  type BetLane,
  type WaitingBet,
} from './bet-lane.ts';

const BATCH_MAX = 5;

interface Bet {
  readonly player: string;
  readonly requestId: string;
  readonly lines: number;
}

const waiting = ({ player, requestId, lines }: Bet, sinceMs = 0): WaitingBet =>
  ({ order: { actor: { id: player }, requestId, lines: Array.from({ length: lines }) }, sinceMs }) as never;
const playerOf = ({ order }: WaitingBet): string => order.actor.id;
const nameOf = ({ order }: WaitingBet): string => `${order.actor.id} ${order.requestId}`;
const linesOf = (batch: readonly WaitingBet[]): number => batch.reduce((sum, { order }) => sum + order.lines.length, 0);

const bet = fc.record({
  player: fc.constantFrom('a', 'b', 'c'),
  requestId: fc.constantFrom('1', '2', '3', '4'),
  lines: fc.constantFrom(1, 2, 900, 1_100),
});
const step = fc.oneof(
  { weight: 4, arbitrary: bet },
  fc.constant('begin' as const),
  fc.record({ locked: fc.array(fc.boolean(), { minLength: BATCH_MAX, maxLength: BATCH_MAX }) }),
  fc.constant('let go' as const),
);

describe('a bet lane', () => {
  it('takes every bet in order per player, never two of one player concurrently, in bounded batches', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const lane = newLane('lane', 1);
        const arrived: WaitingBet[] = [];
        const answered: WaitingBet[] = [];
        const inFlight: WaitingBet[][] = [];
        const begin = (): void => {
          const batch = beginBatch(lane, BATCH_MAX);
          expect(batch.length).toBeLessThanOrEqual(BATCH_MAX);
          expect(batch.length < 2 || linesOf(batch) <= 2_000).toBe(true);
          expect(new Set(batch.map(nameOf)).size).toBe(batch.length);
          const busy = new Set([...inFlight.flat(), ...lane.locked].map(playerOf));
          expect(batch.filter((each) => busy.has(playerOf(each)))).toEqual([]);
          if (batch.length > 0) inFlight.push(batch);
        };
        const end = (isLocked: readonly boolean[]): void => {
          const batch = inFlight.shift();
          if (!batch) return;
          const lockedPlayers = new Set(batch.filter((_, index) => isLocked[index]).map(playerOf));
          for (const each of batch) (lockedPlayers.has(playerOf(each)) ? lane.locked : answered).push(each);
          endBatch(lane, batch);
        };
        const letGo = (): void => {
          const locked = takeLocked(lane);
          endWait(lane, locked.map(playerOf), locked);
        };

        for (const each of steps)
          if (each === 'begin') begin();
          else if (each === 'let go') letGo();
          else if ('locked' in each) end(each.locked);
          else {
            const one = waiting(each);
            arrived.push(one);
            lane.waiting.push(one);
          }
        while (!isIdle(lane)) {
          begin();
          end([]);
          letGo();
        }
        for (const player of ['a', 'b', 'c']) {
          const inOrder = arrived.filter((each) => playerOf(each) === player);
          const asTaken = answered.filter((each) => playerOf(each) === player);
          expect(asTaken.length).toBe(inOrder.length);
          for (const [index, each] of asTaken.entries()) expect(each).toBe(inOrder[index]);
        }
        expect(lane.busy.size).toBe(0);
      }),
    );
  });

  it('starts with a single bet, adds a second concurrent batch under load, never a third', () => {
    const lane = newLane('lane', 1);
    const come = (count: number): void => {
      for (let n = 0; n < count; n++) lane.waiting.push(waiting({ player: `p${n}`, requestId: '1', lines: 1 }));
    };
    const seen = (): boolean => mayBegin(lane);
    expect(seen()).toBe(false);
    come(1);
    expect(seen()).toBe(true);
    lane.isDue = true;
    expect(seen()).toBe(false);
    const first = beginBatch(lane, BATCH_MAX);
    come(31);
    expect(seen()).toBe(false);
    come(1);
    expect(seen()).toBe(true);
    beginBatch(lane, BATCH_MAX);
    come(100);
    expect(seen()).toBe(false);
    endBatch(lane, first);
    expect(seen()).toBe(true);
  });

  it('rejects only bets that waited too long', () => {
    const late = (times: readonly number[], beforeMs: number): [string[], number[]] => {
      const answered: string[] = [];
      const bets = times.map((sinceMs) => ({
        ...waiting({ player: 'a', requestId: '1', lines: 1 }, sinceMs),
        answer: (outcome: unknown) => answered.push(`${sinceMs} ${(outcome as CallError).code}`),
      }));
      refuseLate(bets, beforeMs);
      return [answered, bets.map(({ sinceMs }) => sinceMs)];
    };
    expect(late([1, 2, 3], 3)).toEqual([['1 NOT_READY', '2 NOT_READY'], [3]]);
    expect(late([1, 2, 3], 0)).toEqual([[], [1, 2, 3]]);
    expect(late([1, 2], 9)).toEqual([['1 NOT_READY', '2 NOT_READY'], []]);
    expect(late([], 9)).toEqual([[], []]);
  });

  it('is kept while a batch is due or running, or bets are expected', () => {
    const lane: BetLane = newLane('lane', 1);
    expect(isIdle(lane)).toBe(true);
    lane.isDue = true;
    expect(isIdle(lane)).toBe(false);
    lane.waiting.push(waiting({ player: 'a', requestId: '1', lines: 1 }));
    const batch = beginBatch(lane, BATCH_MAX);
    expect(isIdle(lane)).toBe(false);
    lane.locked.push(...batch);
    endBatch(lane, batch);
    expect(isIdle(lane)).toBe(false);
    const locked = takeLocked(lane);
    expect(isIdle(lane)).toBe(false);
    endWait(lane, locked.map(playerOf), []);
    expect(isIdle(lane)).toBe(true);
  });

  it("interleaves small requests with others' many, and fills up with those", () => {
    const lane = newLane('lane', 1);
    const many = (player: string, count: number, apiKey?: number): void => {
      for (let nth = 0; nth < count; nth++) {
        const each = waiting({
          player: apiKey === undefined ? player : `${player}${nth % 7}`,
          requestId: `${nth}`,
          lines: 1,
        });
        lane.waiting.push({ ...each, order: { ...each.order, apiKey } });
      }
    };
    many('a', 1_000);
    many('of a key ', 1_000, 3);
    many('b', 2);
    const batch = beginBatch(lane, 500);
    const count = (name: string) => batch.filter((each) => playerOf(each).startsWith(name)).length;
    expect(['a', 'of a key ', 'b'].map(count)).toEqual([398, 100, 2]);
    for (const player of ['a', 'of a key 0', 'b']) {
      const own = batch.filter((each) => playerOf(each) === player).map(({ order }) => Number(order.requestId));
      expect(own).toEqual(own.toSorted((x, y) => x - y));
    }
    expect(lane.waiting).toHaveLength(1_502);
  });
});
