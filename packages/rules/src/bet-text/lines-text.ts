import type { SlipLine } from './expand.ts';
import type { GameRules } from '../games/game-rules.ts';

/** Inverse of `expand`, one bet per line: `7*5`, `fp 12*1`, `K60GOLD andhar 4*2`. */
export function textOf(
  lines: readonly Pick<SlipLine, 'drawno' | 'head' | 'series' | 'qty'>[],
  rules: GameRules,
): string {
  const hasHeads = rules.heads.length > 1;
  const hasTiers = rules.family === 'jodi';
  return lines
    .map(({ drawno, head, series, qty }) => {
      const words = [hasTiers ? series : null, hasHeads ? head : null, `${drawno}*${qty}`];
      return words.filter((word) => word !== null).join(' ');
    })
    .join('\n');
}
