import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallError } from '../../platform/http/http-errors.ts';
import type { BetLanes } from './lanes/bet-lanes.ts';
import type { BetOrder } from './bet-order.ts';
import type { PlacedBet } from './judge-bets.ts';
import { placeMany } from './answer-bets.ts';

type Answer = (outcome: PlacedBet | CallError) => void;

const orderOf = ([player, gameKey, requestId]: readonly [string, string, string], index: number): BetOrder =>
  ({ actor: { id: player }, gameKey, requestId, lines: [], ip: `r${index}` }) as never;
const nameOf = ({ ip }: BetOrder): number => Number(ip.slice(1));
const ticketOf = (order: BetOrder): PlacedBet => ({ ticket: { _id: order.ip }, walletBalance: 1 }) as never;
const [player, game, request] = ['abc', 'ghi', '1234567'].map((names) => fc.constantFrom(...names));
const asked = fc.array(fc.tuple(player!, game!, request!), {
  minLength: 1,
  maxLength: 25,
});

describe('many tickets of one call', () => {
  it('are queued once each, in order per game, one by one per player and request, and answered in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        asked,
        fc.infiniteStream(fc.nat()),
        fc.infiniteStream(fc.boolean()),
        async (pairs, picks, atOnce) => {
          const orders = pairs.map(orderOf);
          const given: number[] = [];
          const open = new Map<number, Answer>();
          const ask: BetLanes['ask'] = (order, answer) => {
            const index = nameOf(order);
            const earlier = given.filter((other) => pairs[other]![1] === pairs[index]![1]);
            expect(earlier.every((other) => other < index)).toBe(true);
            expect(
              pairs.findIndex((pair, other) => other < index && pair[1] === pairs[index]![1] && !given.includes(other)),
            ).toBe(-1);
            for (const other of open.keys()) {
              if (pairs[other]![0] !== pairs[index]![0]) continue;
              expect(pairs[other]![1]).toBe(pairs[index]![1]);
              expect(pairs[other]![2]).not.toBe(pairs[index]![2]);
            }
            const ofPlayer = pairs.findIndex(
              (pair, other) => other < index && pair[0] === pairs[index]![0] && !given.includes(other),
            );
            expect(ofPlayer).toBe(-1);
            given.push(index);
            if (atOnce.next().value) answer(ticketOf(order));
            else open.set(index, answer);
          };
          const done = placeMany(orders, { ask, handOverMs: Infinity });
          while (open.size > 0) {
            const index = [...open.keys()][picks.next().value! % open.size]!;
            const answer = open.get(index)!;
            open.delete(index);
            answer(ticketOf(orders[index]!));
          }
          expect((await done).map((outcome) => (outcome as PlacedBet).ticket._id)).toEqual(orders.map(({ ip }) => ip));
          expect(given.toSorted((a, b) => a - b)).toEqual([...orders.keys()]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('leave the queue when their client disconnects, and still get answers', async () => {
    const leaving = new AbortController();
    const answers: Answer[] = [];
    const orders = (
      [
        ['a', 'g', '1'],
        ['a', 'h', '2'],
        ['a', 'g', '3'],
      ] as const
    ).map(orderOf);
    const ask: BetLanes['ask'] = (_order, answer) => void answers.push(answer);
    const done = placeMany(orders, { ask, handOverMs: Infinity }, leaving.signal);
    expect(answers).toHaveLength(1);
    leaving.abort();
    answers[0]!(new CallError('BETTING_CLOSED'));
    expect((await done).map((outcome) => (outcome as CallError).code)).toEqual([
      'BETTING_CLOSED',
      'NOT_READY',
      'NOT_READY',
    ]);
    expect(answers).toHaveLength(1);
  });
});
