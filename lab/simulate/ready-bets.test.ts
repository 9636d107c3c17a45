import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { describe, expect, it } from 'vitest';
import { everyBet, rulesOfPanel } from './ready-bets.ts';

describe('everyBet', () => {
  it('lists exactly the bets that can be placed, including every winner', () => {
    for (const game of BUILT_IN_GAMES) {
      const rules = rulesFor(game);
      const parsed = everyBet(rules).map((line) => rules.parseBet(line));
      expect(parsed.filter((bet) => !bet.ok)).toEqual([]);
      const keys = parsed.flatMap((bet) => (bet.ok ? [bet.key] : []));
      const outcomes = [...rules.outcomes, ...(rules.cardTypes ?? []), ...(rules.colors ?? [])];
      const winning = new Set(outcomes.flatMap((outcome) => rules.outcomeBets(outcome).map(({ key }) => key)));
      expect(new Set(keys)).toEqual(winning);
      expect(keys.length).toBe(winning.size);
    }
  });

  it('reads rules from a panel and rejects unknown families', () => {
    expect(rulesOfPanel('own', 'numbers', 7)?.outcomes).toHaveLength(7);
    expect(rulesOfPanel('lottery4d', 'lottery4d', 100)?.outcomes).toHaveLength(3000);
    expect(rulesOfPanel('own', 'dice', 6)).toBeUndefined();
  });
});
