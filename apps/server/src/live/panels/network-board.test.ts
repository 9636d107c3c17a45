import { isDeepStrictEqual } from 'node:util';
import type { DrawResult } from '@drawhouse/contract/draws/draws';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  newResults,
  newsBetween,
  fullNews,
  type BoardGame,
  type NetworkBoard,
  type UntimedNews,
} from './network-board.ts';

const result = fc.record({
  drawId: fc.constantFrom('a', 'b', 'c'),
  drawno: fc.constant('7'),
  result: fc.constant({ drawno: '7' }),
  booster: fc.constant(1),
  source: fc.constant('generated'),
  number: fc.constant(1),
  drawsAt: fc.constant('2026-01-01T00:01:00.000Z'),
  outside: fc.constant(null),
  correctedAt: fc.constantFrom(null, '2026-01-01T01:00:00.000Z'),
});
const game = fc.record({
  draw: fc.option(
    fc.record({
      _id: fc.constantFrom('a', 'b', 'c'),
      number: fc.nat(3),
      opensAt: fc.constant('2026-01-01T00:00:00.000Z'),
      closesAt: fc.constant('2026-01-01T00:00:55.000Z'),
      drawsAt: fc.constant('2026-01-01T00:01:00.000Z'),
      status: fc.constantFrom('open', 'closed', 'drawn', 'void'),
      commitment: fc.constant('00'),
      outside: fc.constant(null),
    }),
    { nil: null },
  ),
  nextOpensAt: fc.option(fc.constantFrom('2026-01-01T00:01:00.000Z', '2026-01-01T00:02:00.000Z'), { nil: null }),
  result: fc.option(result, { nil: null }),
  outside: fc.uniqueArray(result, { maxLength: 3, selector: ({ drawId }) => drawId }),
  awaited: fc.array(
    fc.record({
      drawId: fc.constantFrom('a', 'b'),
      number: fc.constant(1),
      drawsAt: fc.constant('2026-01-01T00:01:00.000Z'),
      outside: fc.constant('National 19:00'),
    }),
    { maxLength: 2 },
  ),
  terms: fc.record({
    unitPrice: fc.constantFrom(1, 2),
    pays: fc.constantFrom({ single: 900 }, { single: 800 }),
    limits: fc.constantFrom(
      { perNumber: null, perTicket: null, perPlayer: null },
      { perNumber: 5, perTicket: null, perPlayer: null },
    ),
    manualClaims: fc.boolean(),
  }),
}) as fc.Arbitrary<BoardGame>;
const board: fc.Arbitrary<NetworkBoard> = fc
  .dictionary(fc.constantFrom('one', 'two', 'three'), game)
  .map((games) => new Map(Object.entries(games)));

type Known = Omit<BoardGame, 'result' | 'outside'> & { readonly results: ReadonlyMap<string, DrawResult> };

function applyNews(known: Map<string, Known>, news: readonly UntimedNews[]): void {
  for (const { gameId, draw, nextOpensAt, awaited, result: of, terms } of news) {
    const was = known.get(gameId);
    const results = new Map(was?.results);
    if (of) results.set(of.drawId, of);
    known.set(gameId, { draw, nextOpensAt, awaited, results, terms: terms ?? was!.terms });
  }
}

it('applying all news equals the full board, and unchanged parts send none', () => {
  fc.assert(
    fc.property(fc.array(board, { minLength: 1, maxLength: 6 }), ([first, ...later]) => {
      const known = new Map<string, Known>();
      applyNews(
        known,
        Array.from(first!, ([gameId, one]) => fullNews(gameId, one)),
      );
      let before = first!;
      for (const after of later) {
        const news = newsBetween(before, after);
        expect(new Set(news.map(({ gameId, result: of }) => `${gameId} ${of?.drawId}`)).size).toBe(news.length);
        applyNews(known, news);
        for (const [gameId, { draw, nextOpensAt, result: newest, outside, terms }] of after) {
          expect(known.get(gameId)).toMatchObject({ draw, nextOpensAt, terms });
          if (newest) expect(known.get(gameId)!.results.get(newest.drawId)).toEqual(newest);
          const was = before.get(gameId);
          for (const one of was ? outside : [])
            if (one.drawId !== newest?.drawId && !was!.outside.some((other) => isDeepStrictEqual(other, one)))
              expect(known.get(gameId)!.results.get(one.drawId)).toEqual(one);
        }
        for (const gameId of before.keys())
          if (!after.has(gameId)) expect(known.get(gameId)).toMatchObject({ draw: null, nextOpensAt: null });
        before = after;
      }
      expect(newsBetween(before, before)).toEqual([]);
      expect(newResults(before, before)).toEqual([]);
    }),
  );
});

it('a result is new if the game was known with another or no result', () => {
  const made = (drawId: string | null) => ({ result: drawId === null ? null : { drawId } }) as BoardGame;
  const boardWith = (drawId: string | null): NetworkBoard => new Map([['one', made(drawId)]]);
  expect(newResults(boardWith(null), boardWith('a'))).toEqual([{ gameKey: 'one', drawId: 'a' }]);
  expect(newResults(boardWith('a'), boardWith('b'))).toEqual([{ gameKey: 'one', drawId: 'b' }]);
  expect(newResults(boardWith('a'), boardWith('a'))).toEqual([]);
  expect(newResults(new Map(), boardWith('a'))).toEqual([]);
});
