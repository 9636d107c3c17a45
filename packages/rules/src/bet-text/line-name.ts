import type { SlipLine } from './expand.ts';
import { wheelBets } from '../games/families/roulette.ts';
import type { GameRules } from '../games/game-rules.ts';
import { seriesName } from '../games/outcome-names.ts';

/** Names the line as the board does: `Rabbit`, `A♠`, `Front Pair 12`, `K60 Gold Jodi 42`, `Red`. */
export function lineName(
  { drawno, head, series }: Pick<SlipLine, 'drawno' | 'head' | 'series'>,
  rules: GameRules,
): string {
  const { heads, outcomes, cardTypes = [], colors = [], family } = rules;
  const bet = wheelBets(rules).find((each) => each.kind === head && each.drawno === drawno);
  if (bet) return bet.name;
  const kind = heads.find(({ name }) => name === head)?.label;
  const outcome = [...(family === 'andarbahar' ? [...cardTypes, ...colors] : []), ...outcomes].find(
    (each) => each.drawno === drawno,
  );
  const shown = outcome?.label ?? drawno;
  const tier = family === 'jodi' && series !== null ? seriesName(series) : null;
  return [tier, heads.length > 1 ? kind : null, shown].filter(Boolean).join(' ');
}

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
