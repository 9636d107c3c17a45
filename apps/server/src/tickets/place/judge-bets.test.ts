import { pointsOf } from '@drawhouse/contract/core/primitives';
import { rulesFor } from '@drawhouse/rules/games/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallError } from '../../platform/http/http-errors.ts';
import { judgeBets, type Batch, type BetOutcome } from './judge-bets.ts';

const RULES = rulesFor({ gameId: 'funtargetbingo', family: 'numbers', digits: 10 });
const BET = RULES.parseBet({ drawno: 1 });
if (!BET.ok) throw new Error(BET.message);
const LINE = { key: BET.key, qty: 1 };
const ROW = { id: 'draw', game_key: 'funtargetbingo', unit_price: 100n };
const NO_LIMIT = { refusalOf: () => undefined, timed: new Set<string>(), count: () => {}, keep: () => {} };
const NO_KEYS = { ...NO_LIMIT, write: async () => {} };

interface Bet {
  readonly player: string;
  readonly stake: bigint;
}

function batchOf(bets: readonly Bet[], credits: Readonly<Record<string, bigint>>, also: Partial<Batch> = {}): Batch {
  let ids = 0;
  return {
    orders: bets.map(({ player }) => ({ actor: { id: player }, lines: [], ip: '' })) as never,
    requests: bets.map((_, index) => `request ${index}`),
    read: bets.map(({ stake }) => ({ lines: [LINE], stake })),
    states: bets.map(() => 'good'),
    earlier: new Map(),
    cleared: new Set(),
    credits: new Map(Object.entries(credits).map(([player, balance]) => [player, { balance }])),
    pauses: new Map(),
    open: {
      draw: { row: ROW, rules: RULES } as never,
      keys: NO_KEYS,
      limits: NO_LIMIT,
      own: NO_LIMIT,
      bound: NO_LIMIT,
    },
    at: new Date(0),
    newId: () => `ticket ${ids++}`,
    ...also,
  };
}
const said = (outcome: BetOutcome): unknown => {
  if (outcome === 'locked') return outcome;
  return outcome instanceof CallError ? outcome.code : outcome.walletBalance;
};

describe('bets of a batch', () => {
  const bet = fc.record({ player: fc.constantFrom('a', 'b', 'locked'), stake: fc.bigInt(1n, 60n) });

  it("spend the player's credit in order, each what earlier ones left", () => {
    fc.assert(
      fc.property(fc.array(bet), fc.bigInt(0n, 100n), fc.bigInt(0n, 100n), (bets, a, b) => {
        const left: Record<string, bigint> = { a, b };
        const { outcomes, tickets } = judgeBets(batchOf(bets, { a, b }));
        const taken: unknown[] = [];
        for (const [index, { player, stake }] of bets.entries()) {
          const before = left[player];
          if (before === undefined) expect(outcomes[index]).toBe('locked');
          else if (before < stake) expect(said(outcomes[index]!)).toBe('INSUFFICIENT_CREDIT');
          else {
            left[player] = before - stake;
            expect(said(outcomes[index]!)).toBe(pointsOf(before - stake));
            taken.push([player, stake, `request ${index}`]);
          }
        }
        expect(tickets.map(({ account_id, stake, request }) => [account_id, stake, request])).toEqual(taken);
      }),
    );
  });

  it('count toward limits only if accepted', () => {
    const counted: bigint[] = [];
    const limits = {
      refusalOf: ({ stake }: { stake: bigint }) => (stake > 10n ? new CallError('LIMIT_REACHED') : undefined),
      count: ({ stake }: { stake: bigint }) => void counted.push(stake),
    };
    const bets = [5n, 11n, 6n, 7n, 1n].map((stake) => ({ player: 'a', stake }));
    const open = { draw: { row: ROW, rules: RULES } as never, keys: NO_KEYS, limits, own: NO_LIMIT, bound: NO_LIMIT };
    const states = ['good', 'good', 'good', 'good', 'ended'] as const;
    const { outcomes, tickets } = judgeBets(batchOf(bets, { a: 17n }, { open, states }));
    expect(outcomes.map(said)).toEqual([0.12, 'LIMIT_REACHED', 0.06, 'INSUFFICIENT_CREDIT', 'SESSION_ENDED']);
    expect(counted).toEqual([5n, 6n]);
    expect(tickets.map(({ id }) => id)).toEqual(['ticket 0', 'ticket 1']);
  });

  it("reveal a number's remainder only to players who could pay, after earlier bets", () => {
    const limited = { refusalOf: () => new CallError('LIMIT_REACHED'), count: () => {} };
    const beyondOwn = {
      refusalOf: () => new CallError('OWN_LIMIT'),
      count: () => {},
      keep: () => {},
      timed: new Set<string>(),
    };
    const open = {
      draw: { row: ROW, rules: RULES } as never,
      keys: NO_KEYS,
      limits: limited,
      own: NO_LIMIT,
      bound: limited,
    };
    const bets = fc.array(fc.record({ player: fc.constantFrom('a', 'b'), stake: fc.bigInt(1n, 60n) }));
    fc.assert(
      fc.property(bets, fc.bigInt(0n, 50n), fc.bigInt(0n, 50n), (laid, a, b) => {
        const credits: Record<string, bigint> = { a, b };
        const expected = laid.map(({ player, stake }) =>
          credits[player]! < stake ? 'INSUFFICIENT_CREDIT' : 'LIMIT_REACHED',
        );
        expect(judgeBets(batchOf(laid, credits, { open })).outcomes.map(said)).toEqual(expected);
        const own = judgeBets(batchOf(laid, credits, { open: { ...open, own: beyondOwn } }));
        expect(own.outcomes.map(said)).toEqual(laid.map(() => 'OWN_LIMIT'));
      }),
    );
    const onlyFew = {
      refusalOf: ({ stake }: { stake: bigint }) => (stake > 5n ? limited.refusalOf() : undefined),
      count: () => {},
    };
    const both = [5n, 6n, 6n].map((stake, index) => ({ player: index === 2 ? 'b' : 'a', stake }));
    const { outcomes } = judgeBets(
      batchOf(both, { a: 10n, b: 10n }, { open: { ...open, limits: onlyFew, bound: NO_LIMIT } }),
    );
    expect(outcomes.map(said)).toEqual([0.05, 'INSUFFICIENT_CREDIT', 'LIMIT_REACHED']);
  });
});
