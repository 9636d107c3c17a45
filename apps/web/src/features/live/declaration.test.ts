import { BUILT_IN_GAMES } from '@drawhouse/rules/catalogue';
import { rulesFor } from '@drawhouse/rules/rules';
import { expect, test } from 'vitest';
import { declarationOf } from './declaration.ts';

test.each(BUILT_IN_GAMES.map((game) => [game.gameId, game] as const))(
  'a result of %s is declared as it was',
  (_id, game) => {
    const rules = rulesFor(game);
    for (let seed = 0; seed < 20; seed++) {
      const result = rules.draw((n) => (seed * 7919) % n);
      expect(rules.parseResult(declarationOf(result))).toEqual({ ok: true, result });
    }
  },
);
