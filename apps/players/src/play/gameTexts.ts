import { GAME_TEXTS, gameFacts } from '@drawhouse/rules/games/game-texts';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { inLanguage } from '../lib/inLanguage.ts';

export const gameTexts = inLanguage('gameTexts', GAME_TEXTS);

/** `123 in any order` for SP Box. */
export function betHint(rules: GameRules, head: string): string | undefined {
  return gameTexts[rules.family].bets[head]?.(gameFacts(rules)).hint;
}

/** Examples of typed bets, in players' words. */
export function typedBets(rules: GameRules): readonly { readonly text: string; readonly means: string }[] {
  return gameTexts[rules.family].typed(gameFacts(rules));
}
