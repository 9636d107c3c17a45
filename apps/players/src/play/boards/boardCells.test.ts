import { BUILT_IN_GAMES, builtInGame } from '@drawhouse/rules/games/catalogue';
import { expand } from '@drawhouse/rules/bet-text/expand';
import { rulesFor, type GameIdentity } from '@drawhouse/rules/games/rules';
import { describe, expect, it } from 'vitest';
import { boardOf, type Board } from './boardCells.ts';

const LIMITS = { qty: 1_000, lines: 1_000 };
const GAMES: GameIdentity[] = [...BUILT_IN_GAMES, { gameId: 'created', family: 'numbers', digits: 250 }];

function everyBoard(game: GameIdentity): Board[] {
  const rules = rulesFor(game);
  const first = boardOf(game.gameId, rules, {});
  const oneOrAll = <T>(list: readonly T[]): readonly (T | undefined)[] => (list.length === 0 ? [undefined] : list);
  return oneOrAll(first.tabs).flatMap((tab) =>
    oneOrAll(first.heads).flatMap((head) => {
      const { pages } = boardOf(game.gameId, rules, { tab: tab?.key ?? '', head: head?.name ?? '' });
      return oneOrAll(pages).map((page) =>
        boardOf(game.gameId, rules, { tab: tab?.key ?? '', head: head?.name ?? '', page: page?.key ?? '' }),
      );
    }),
  );
}

describe.each(GAMES.map((game) => ({ gameId: game.gameId, game })))('the boards of $gameId', ({ game }) => {
  const rules = rulesFor(game);
  const boards = everyBoard(game);
  const cells = boards.flatMap(({ areas }) => areas.flatMap(({ rows }) => rows.flat()));

  it('list every bet once, placed by its text, with its own name', () => {
    const all = [...rules.outcomes, ...(rules.cardTypes ?? []), ...(rules.colors ?? [])];
    const bets = all.flatMap((outcome) => rules.outcomeBets(outcome));
    // The wheel board itself adds bets on several numbers.
    const keys = new Set(bets.filter(({ share }) => share === undefined).map(({ key }) => key));
    expect(cells).toHaveLength(keys.size);
    expect(new Set(cells.map(({ key }) => key))).toEqual(keys);
    for (const { areas } of boards) {
      const names = areas.flatMap(({ rows }) => rows.flat().map(({ name }) => name));
      expect(new Set(names).size).toBe(names.length);
    }
    for (const { key, text } of cells.filter((_, index) => index % 7 === 0))
      expect(expand(`${text}*2`, rules, LIMITS).lines).toMatchObject([{ key, qty: 2 }]);
  });

  it('name their bet kinds and fit their rows on a page', () => {
    for (const { areas } of boards)
      for (const { head, rows } of areas) {
        const shown = rows.flat();
        expect(shown.length).toBeGreaterThan(0);
        expect(shown.length).toBeLessThanOrEqual(120);
        for (const { key } of shown) expect(rules.betOf(key)!.head).toBe(head);
      }
  });
});

it('a board starts with whole numbers and skips missing choices', () => {
  const jodi = builtInGame('acqOpdpL')!;
  expect(boardOf(jodi.gameId, rulesFor(jodi), { tab: 'no', head: 'no', page: 'no' }).choice).toEqual({
    tab: 'K50SILVER',
    head: 'jodi',
    page: '',
  });
  const lottery = builtInGame('lottery4d')!;
  const board = boardOf(lottery.gameId, rulesFor(lottery), { tab: '3000', page: '3200' });
  expect(board.choice).toEqual({ tab: '3000', head: 'number', page: '3200' });
  expect(board.areas[0]!.rows[0]![0]).toMatchObject({ text: '3200', label: '3200', name: '3200' });
});
