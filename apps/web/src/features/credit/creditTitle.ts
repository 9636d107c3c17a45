import type { Role } from '@drawhouse/contract/frame/primitives';
import { messages } from '../../messages.ts';

/** The two ways to move credit: down to an account, or to and from it. */
export type CreditKind = 'transfer' | 'adjust';

/** The title of a credit page: `Admin Credit Transfer`; a superadmin's own is about issuing. */
export function creditTitle(kind: CreditKind, level: Role): string {
  if (level === 'superadmin') return messages.credit.ownAdjust;
  return `${messages.accounts.titles[level]} ${messages.credit[kind]}`;
}
