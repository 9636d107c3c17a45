import type { GameRules } from '@drawhouse/rules/games/rules';

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

export function shortReturnText({ returns }: Pick<GameRules, 'returns'>, head: string): string {
  const found = returns.find(({ bet }) => bet === head);
  return found ? `returns ${percent.format(found.return)}` : '';
}

/** Before the booster: `pays 900 for 1, returns 90%`. */
export function returnText({ returns }: Pick<GameRules, 'returns'>, head: string): string {
  const found = returns.find(({ bet }) => bet === head);
  return found ? `pays ${plain.format(found.pay)} for 1, returns ${percent.format(found.return)}` : '';
}
