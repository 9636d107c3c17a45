import type { Bet, GameRules } from '@drawhouse/rules/games/rules';

export interface PickFrom {
  readonly head: string;
  readonly series?: string | undefined;
  readonly subseries?: string | undefined;
}

export function betsToPick(
  { outcomes, cardTypes = [], colors = [], outcomeBets, betOf }: GameRules,
  from: PickFrom,
): Bet[] {
  const cells = [...outcomes, ...cardTypes, ...colors].filter(
    ({ series, subseries }) =>
      (from.series === undefined || series === from.series) &&
      (from.subseries === undefined || subseries === from.subseries),
  );
  const keys = cells.flatMap((cell) => outcomeBets(cell).flatMap(({ key, head }) => (head === from.head ? [key] : [])));
  return [...new Set(keys)].map((key) => betOf(key)!);
}
