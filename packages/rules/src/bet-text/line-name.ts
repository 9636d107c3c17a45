import type { SlipLine } from './expand.ts';
import { wheelBets } from '../games/families/roulette.ts';
import type { GameRules } from '../games/game-rules.ts';

/** As on the board: `7 Rabbit`, `Front Pair 12`, `K60GOLD Jodi 42`, `Red`. */
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
  const isNamed = outcome && outcome.label !== drawno && heads.length === 1;
  const shown = family === 'andarbahar' ? (outcome?.label ?? drawno) : isNamed ? `${drawno} ${outcome.label}` : drawno;
  return [family === 'jodi' ? series : null, heads.length > 1 ? kind : null, shown].filter(Boolean).join(' ');
}
