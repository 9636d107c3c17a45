import { CLEARING_TEXTS } from '@drawhouse/contract/clearing/clearing';
import type { ClearingModel } from '@drawhouse/contract/clearing/clearing';

/** What is chosen to be cleared. */
export interface ClearingForm {
  startDate: string;
  endDate: string;
  models: ClearingModel[];
}

/** Nothing chosen yet. */
export const EMPTY_CLEARING: ClearingForm = { startDate: '', endDate: '', models: [] };

/** Why a choice can't be cleared, in the words of the specification; null where it can. */
export function clearingProblem({ startDate, endDate, models }: ClearingForm): string | null {
  if (startDate === '' || endDate === '') return CLEARING_TEXTS.dates;
  return models.length === 0 ? CLEARING_TEXTS.models : null;
}

/** What is wrong with its fields. */
export function clearingErrors(values: ClearingForm): Partial<Record<keyof ClearingForm, string>> {
  const { startDate, endDate } = values;
  if (startDate !== '' && endDate !== '' && endDate < startDate) return { endDate: 'The end is before the start' };
  const problem = clearingProblem(values);
  if (problem === null) return {};
  // The sentence stands above the button.
  return startDate === '' ? { startDate: ' ' } : endDate === '' ? { endDate: ' ' } : { models: ' ' };
}
