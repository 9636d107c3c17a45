import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PIPELINES } from '../../../platform/db/database.ts';
import { DatabaseUnavailable } from '../../../platform/db/connection/unavailable.ts';
import { CallError } from '../../../platform/http/http-errors.ts';
import { endWait, isIdle, newLane, takeLocked, type BetLane, type WaitingBet } from './bet-lane.ts';
import { createLaneBatches, type LaneBatches } from './lane-batches.ts';

const LANES = 8;
const BATCH_MAX = 4;

interface Bet {
  readonly lane: number;
  readonly player: string;
  readonly isBad: boolean;
}

const isTaken = (answer: string): boolean => answer !== 'NOT_READY';

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
}

class Play {
  readonly lanes = Array.from({ length: LANES }, (_, at) => newLane(`lane ${at}`, at));
  readonly answers = new Map<string, string[]>();
  readonly errors: string[] = [];
  readonly wentIdle = new Set<BetLane>();
  readonly batches: LaneBatches;
  readonly locked: Set<string>;
  most = 0;
  error: (orders: readonly WaitingBet['order'][]) => Error | undefined = (orders) =>
    orders.some(({ requestId }) => requestId.startsWith('bad')) ? new Error('bad') : undefined;
  #atOnce = 0;
  #count = 0;

  constructor(duration: readonly number[], locked: readonly string[], waitMaxMs = Infinity) {
    this.locked = new Set(this.lanes.flatMap(({ networkId }) => locked.map((player) => `${networkId} ${player}`)));
    const wait = () => turns(duration[this.#count++ % duration.length]!);
    this.batches = createLaneBatches(
      { batchMax: BATCH_MAX, waitMaxMs },
      {
        take: async (networkId, orders) => {
          this.most = Math.max(this.most, ++this.#atOnce);
          await wait();
          this.#atOnce--;
          const error = this.error(orders);
          if (error) throw error;
          return orders.map(({ actor, requestId }) =>
            this.locked.has(`${networkId} ${actor.id}`) ? 'locked' : requestId,
          ) as never;
        },
        waitForLocks: async (lane) => {
          const bets = takeLocked(lane);
          await wait();
          const players = bets.map(({ order }) => order.actor.id);
          for (const player of players) this.locked.delete(`${lane.networkId} ${player}`);
          endWait(lane, players, bets);
        },
        onError: (error) => this.errors.push((error as Error).message),
        onIdle: (lane) => void (isIdle(lane) && this.wentIdle.add(lane)),
      },
    );
  }

  place({ lane: at, player }: Omit<Bet, 'isBad'>, name: string, sinceMs = performance.now()): void {
    const lane = this.lanes[at]!;
    const answers = this.answersOf(at, player);
    const answer = (outcome: unknown) =>
      answers.push(outcome instanceof CallError ? outcome.code : (outcome as string));
    lane.waiting.push({ order: { actor: { id: player }, requestId: name, lines: [1] }, answer, sinceMs } as never);
    this.batches.go(lane);
  }

  answersOf(lane: number, player: string): string[] {
    const key = `${lane} ${player}`;
    const answers = this.answers.get(key) ?? [];
    this.answers.set(key, answers);
    return answers;
  }
}

const SPLIT_WHILE_LOCKED: [(Bet | 'wait')[], number[], string[]] = [
  [
    { lane: 2, player: 'a', isBad: false },
    { lane: 0, player: 'a', isBad: false },
    'wait',
    { lane: 2, player: 'c', isBad: false },
    { lane: 2, player: 'c', isBad: false },
    { lane: 2, player: 'b', isBad: true },
  ],
  [1, 0, 0, 2],
  ['a', 'c'],
];

describe('batches of lanes', () => {
  const bet = fc.record({
    lane: fc.nat(LANES - 1),
    player: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    isBad: fc.constantFrom(false, false, false, true),
  });

  it('answer every bet once, in order per player, despite locks and failures, within the connection limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 5, arbitrary: bet }, fc.constant('wait' as const)), { maxLength: 80, size: 'max' }),
        fc.array(fc.nat(4), { minLength: 1, maxLength: 7 }),
        fc.subarray(['a', 'b', 'c']),
        async (steps, duration, locked) => {
          const play = new Play(duration, locked);
          const placed = new Map<string, [lane: number, player: string, names: string[]]>();
          for (const [at, step] of steps.entries()) {
            if (step === 'wait') {
              await turns(2);
              continue;
            }
            const { lane, player, isBad } = step;
            const names = placed.get(`${lane} ${player}`)?.[2] ?? [];
            names.push(isBad ? 'NOT_READY' : `bet ${at}`);
            placed.set(`${lane} ${player}`, [lane, player, names]);
            play.place(step, `${isBad ? 'bad' : 'bet'} ${at}`);
          }
          await play.batches.drain();
          expect(play.most).toBeLessThanOrEqual(PIPELINES);
          for (const [lane, player, names] of placed.values()) {
            const answers = play.answersOf(lane, player);
            expect(answers.filter(isTaken)).toEqual(names.filter(isTaken));
            expect(answers.length).toBe(names.length);
          }
          const used = new Set([...placed.values()].map(([lane]) => play.lanes[lane]!));
          expect([...used].every(isIdle)).toBe(true);
          expect(play.wentIdle).toEqual(used);
        },
      ),
      { numRuns: 100, examples: [SPLIT_WHILE_LOCKED] },
    );
  });

  it('ask everyone in the lane to retry during an outage, without affecting other lanes', async () => {
    const play = new Play([1], []);
    play.error = ([order]) =>
      order!.actor.id === 'away' ? new DatabaseUnavailable(new Error('connection lost')) : undefined;
    play.place({ lane: 0, player: 'away' }, 'bet 1');
    await turns(1);
    play.place({ lane: 0, player: 'b' }, 'bet 2');
    play.place({ lane: 1, player: 'b' }, 'bet 3');
    await play.batches.drain();
    expect([play.answersOf(0, 'away'), play.answersOf(0, 'b'), play.answersOf(1, 'b')]).toEqual([
      ['NOT_READY'],
      ['NOT_READY'],
      ['bet 3'],
    ]);
  });

  it('take no bet that waited too long', async () => {
    const play = new Play([1], [], 1e6);
    play.place({ lane: 0, player: 'a' }, 'bet 1', performance.now() - 2e6);
    play.place({ lane: 0, player: 'a' }, 'bet 2');
    await play.batches.drain();
    expect(play.answersOf(0, 'a')).toEqual(['NOT_READY', 'bet 2']);
    expect(play.errors).toEqual([]);
  });
});
