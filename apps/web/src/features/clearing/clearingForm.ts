import { clearingTexts } from './clearingTexts.ts';
import { CLEARING_TEXTS, type ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';

export interface ClearingForm {
  startDate: string;
  endDate: string;
  models: ClearingModel[];
}

export const EMPTY_CLEARING: ClearingForm = { startDate: '', endDate: '', models: [] };

export function clearingProblem({ startDate, endDate, models }: ClearingForm): string | null {
  if (startDate === '' || endDate === '') return CLEARING_TEXTS.dates;
  return models.length === 0 ? CLEARING_TEXTS.models : null;
}

export function clearingErrors(values: ClearingForm): Partial<Record<keyof ClearingForm, string>> {
  const { startDate, endDate } = values;
  if (startDate !== '' && endDate !== '' && endDate < startDate) return { endDate: clearingTexts.endIsBeforeStart };
  const problem = clearingProblem(values);
  if (problem === null) return {};
  // Blank, because the message is above the button.
  return startDate === '' ? { startDate: ' ' } : endDate === '' ? { endDate: ' ' } : { models: ' ' };
}
