import { makeApiKey, type ApiKey, type ApiKeyTerms } from '@drawhouse/contract/api-keys/api-keys';
import type { KeyPermission } from '@drawhouse/contract/core/permissions';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { addressesIn, numberIn } from '../../ui/form/AddressesField.tsx';
import { apiKeyTexts } from './apiKeyTexts.ts';

export interface ApiKeyForm {
  name: string;
  ticketsPerMinute: string;
  stakePerDay: string;
  permissions: KeyPermission[];
  creditPerDay: string;
  /** Last day, as `2026-03-10`. */
  lastDay: string;
  addresses: string;
}

export function formOf(key: ApiKey | null): ApiKeyForm {
  return {
    name: key?.name ?? '',
    ticketsPerMinute: key?.ticketsPerMinute?.toString() ?? '',
    stakePerDay: key?.stakePerDay?.toString() ?? '',
    permissions: key?.permissions ?? [],
    creditPerDay: key?.creditPerDay?.toString() ?? '',
    lastDay: key?.expiresAt == null ? '' : dayBefore(key.expiresAt),
    addresses: key?.addresses.join('\n') ?? '',
  };
}

const SENSITIVE: readonly KeyPermission[] = ['credit', 'adjustments', 'results', 'backups'];

/** The server refuses sensitive calls of such keys. */
export function isUnbounded({ permissions, creditPerDay, addresses }: ApiKeyForm): boolean {
  const isBounded = creditPerDay.trim() !== '' && addressesIn(addresses).length > 0;
  return !isBounded && permissions.some((permission) => SENSITIVE.includes(permission));
}

/** NaN for an invalid limit. */
export function termsOf(form: ApiKeyForm): ApiKeyTerms {
  const { name, ticketsPerMinute, stakePerDay, permissions, creditPerDay, lastDay, addresses } = form;
  return {
    name,
    ticketsPerMinute: numberIn(ticketsPerMinute),
    stakePerDay: numberIn(stakePerDay),
    permissions,
    creditPerDay: numberIn(creditPerDay),
    expiresAt: lastDay === '' ? null : endOf(lastDay),
    addresses: addressesIn(addresses),
  };
}

/** Returns the midnight after the day, in the browser's zone. Invalid text stays, for its message. */
function endOf(day: string): string {
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  return Number.isNaN(end.getTime()) ? day : end.toISOString();
}

function dayBefore(expiresAt: string): string {
  const last = new Date(Date.parse(expiresAt) - 1);
  return [last.getFullYear(), last.getMonth() + 1, last.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

const WRONG = {
  ticketsPerMinute: apiKeyTexts.enterWholeNumberOr,
  stakePerDay: apiKeyTexts.enterPointsAbove0,
  creditPerDay: apiKeyTexts.enterPointsAbove0,
} as const;

export function apiKeyErrors(values: ApiKeyForm): Record<string, string> {
  const wrong = schemaErrors(makeApiKey.body!, termsOf(values));
  return Object.fromEntries(
    Object.entries(wrong).map(([name, message]) => {
      const field = name.split('.')[0]!;
      return [field === 'expiresAt' ? 'lastDay' : field, WRONG[name as keyof typeof WRONG] ?? message];
    }),
  );
}
