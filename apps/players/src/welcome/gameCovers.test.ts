import { builtInGame, SAMPLE_GAMES } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { expect, it } from 'vitest';
import { COVERS } from './gameCovers.ts';

it('each sample game has a cover with real outcomes', () => {
  expect(Object.keys(COVERS).toSorted()).toEqual(SAMPLE_GAMES.map(({ gameId }) => gameId).toSorted());
  for (const [gameId, cover] of Object.entries(COVERS)) {
    const { outcomes } = rulesFor(builtInGame(gameId)!);
    // Triple Chance shows its three bets: number, last two digits, last digit.
    if (gameId === 'triplefun') continue;
    for (const shown of cover)
      expect(outcomes, `${gameId} ${shown.label}`).toContainEqual(expect.objectContaining(shown));
  }
});
