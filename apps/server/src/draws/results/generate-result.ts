import { generateDraw } from '@drawhouse/rules/fair';
import type { DrawTerms } from '@drawhouse/rules/terms';
import { rulesOf } from '../../games/games.sql.ts';
import type { DrawRow } from '../draws.sql.ts';

export interface GeneratedResult {
  readonly result: NonNullable<DrawRow['result']>;
  readonly booster: number;
  readonly label: string;
}

/** `seed`: the whole seed, including beacon values. */
export function generateResult(
  draw: Parameters<typeof rulesOf>[0] & Pick<DrawTerms, 'weights'> & { readonly id: string },
  seed: Buffer,
): GeneratedResult {
  const rules = rulesOf(draw);
  const { result, booster } = generateDraw({ rules, weights: draw.weights, seed, drawId: draw.id });
  return { result, booster, label: rules.resultLabel(result) };
}
