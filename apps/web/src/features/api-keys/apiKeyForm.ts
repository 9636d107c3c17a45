import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import type { ApiKey, ApiKeyTerms } from '@drawhouse/contract/api-keys/api-keys';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { apiKeyTexts } from './apiKeyTexts.ts';

export interface ApiKeyForm {
  name: string;
  ticketsPerMinute: string;
  stakePerDay: string;
  /** Separated by lines or commas. */
  addresses: string;
}

export function formOf(key: ApiKey | null): ApiKeyForm {
  return {
    name: key?.name ?? '',
    ticketsPerMinute: key?.ticketsPerMinute?.toString() ?? '',
    stakePerDay: key?.stakePerDay?.toString() ?? '',
    addresses: key?.addresses.join('\n') ?? '',
  };
}

/** NaN for an invalid limit. */
export function termsOf({ name, ticketsPerMinute, stakePerDay, addresses }: ApiKeyForm): ApiKeyTerms {
  return {
    name,
    ticketsPerMinute: numberIn(ticketsPerMinute),
    stakePerDay: numberIn(stakePerDay),
    addresses: addresses.split(/[\s,;]+/).filter((address) => address !== ''),
  };
}

function numberIn(typed: string): number | null {
  const text = typed.trim().replaceAll(',', '');
  if (text === '') return null;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

const WRONG = {
  ticketsPerMinute: apiKeyTexts.enterWholeNumberOr,
  stakePerDay: apiKeyTexts.enterPointsAbove0,
} as const;

export function apiKeyErrors(values: ApiKeyForm): Record<string, string> {
  const wrong = schemaErrors(makeApiKey.body!, termsOf(values));
  return Object.fromEntries(
    Object.entries(wrong).map(([name, message]) => [name.split('.')[0]!, WRONG[name as keyof typeof WRONG] ?? message]),
  );
}
