import type { Role } from '@drawhouse/contract/frame/primitives';
import { commonTexts } from '../../commonTexts.ts';

/** The two ways to move credit: down to an account, or to and from it. */
export type CreditKind = 'transfer' | 'adjust';

/** The title of a credit page: `Admin Credit Transfer`; a superadmin's own is about issuing. */
export function creditTitle(kind: CreditKind, level: Role): string {
  if (level === 'superadmin') return commonTexts.credit.ownAdjust;
  return `${commonTexts.accounts.titles[level]} ${commonTexts.credit[kind]}`;
}
