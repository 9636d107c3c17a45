import type { SlipLine } from './expand.ts';
import type { GameRules } from '../games/game-rules.ts';

/** Inverts `expand`, with one bet per line: `7*5`, `fp 12*1`, `K60GOLD andhar 4*2`, `red*5`. */
export function textOf(
  lines: readonly Pick<SlipLine, 'drawno' | 'head' | 'series' | 'qty'>[],
  rules: GameRules,
): string {
  const isWheel = rules.family === 'roulette';
  const isHead = (head: string): boolean =>
    rules.heads.length > 1 && !(isWheel && (head === 'straight' || head === 'chance'));
  const hasTiers = rules.family === 'jodi';
  return lines
    .map(({ drawno, head, series, qty }) => {
      const words = [hasTiers ? series : null, isHead(head) ? head : null, `${drawno}*${qty}`];
      return words.filter((word) => word !== null).join(' ');
    })
    .join('\n');
}
