import { isDeepStrictEqual } from 'node:util';
import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { GameNews } from '@drawhouse/contract/players/player-live';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { NetworkGame } from '../../draws/schedule/network-games.ts';
import { limitsOfPair } from '../../games/pairs/game-limits.ts';

export interface BoardGame {
  readonly draw: GameNews['draw'];
  readonly nextOpensAt: GameNews['nextOpensAt'];
  readonly awaited: GameNews['awaited'];
  readonly result: GameNews['result'];
  /** Of outside lotteries, entered within the last day. Also changes when it is older than `result`. */
  readonly outside: readonly DrawResult[];
  readonly terms: NonNullable<GameNews['terms']>;
}

export type NetworkBoard = ReadonlyMap<string, BoardGame>;

export type UntimedNews = Omit<GameNews, 'serverTime'>;

export function boardOf(
  games: readonly NetworkGame[],
  outside: ReadonlyMap<string, readonly DrawResult[]>,
): NetworkBoard {
  return new Map(
    games.map(({ pair, draw, nextOpensAt, awaited, terms, results: [result = null] }) => [
      pair.game_key,
      {
        draw,
        nextOpensAt: nextOpensAt?.toISOString() ?? null,
        awaited,
        result,
        outside: outside.get(pair.game_key) ?? [],
        terms: {
          unitPrice: pointsOf(terms.unitPrice),
          pays: terms.pays,
          limits: limitsOfPair(pair),
          manualClaims: terms.manualClaims,
        },
      },
    ]),
  );
}

export function fullNews(gameId: string, { outside: _, ...game }: BoardGame): UntimedNews {
  return { gameId, ...game };
}

/** A missing game is reported as not open. */
export function newsBetween(before: NetworkBoard, after: NetworkBoard): UntimedNews[] {
  const news: UntimedNews[] = [];
  for (const [gameId, game] of after) {
    const previous = before.get(gameId);
    if (!previous) news.push(fullNews(gameId, game));
    else if (!isDeepStrictEqual(previous, game)) {
      const { draw, nextOpensAt, awaited } = game;
      const timed = { gameId, draw, nextOpensAt, awaited };
      news.push({
        ...timed,
        result: isDeepStrictEqual(game.result, previous.result) ? null : game.result,
        terms: isDeepStrictEqual(game.terms, previous.terms) ? null : game.terms,
      });
      for (const result of olderChanged(previous, game)) news.push({ ...timed, result, terms: null });
    }
  }
  for (const gameId of before.keys())
    if (!after.has(gameId))
      news.push({ gameId, draw: null, nextOpensAt: null, awaited: [], result: null, terms: null });
  return news;
}

function olderChanged(before: BoardGame, { outside, result: newest }: BoardGame): DrawResult[] {
  return outside.filter(
    (result) =>
      result.drawId !== newest?.drawId && !before.outside.some((previous) => isDeepStrictEqual(previous, result)),
  );
}

export function newResults(before: NetworkBoard, after: NetworkBoard): { gameKey: string; drawId: string }[] {
  return [...after].flatMap(([gameKey, { result }]) => {
    const previous = before.get(gameKey);
    return result && previous && previous.result?.drawId !== result.drawId ? [{ gameKey, drawId: result.drawId }] : [];
  });
}
