import type { Role } from '@drawhouse/contract/frame/primitives';
import { commonTexts } from '../../commonTexts.ts';

export type CreditKind = 'transfer' | 'adjust';

/** `Admin Credit Transfer`. */
export function creditTitle(kind: CreditKind, level: Role): string {
  if (level === 'superadmin') return commonTexts.credit.ownAdjust;
  return `${commonTexts.accounts.titles[level]} ${commonTexts.credit[kind]}`;
}
