import type { ProtectionEntry } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS } from '@drawhouse/contract/players/protection-names';
import { limitText } from './limitValue.ts';

/** What a row of the own history tells, in words. */
export function entryWords({
  what,
  step,
  before,
  after,
  length,
}: Pick<ProtectionEntry, 'what' | 'step' | 'before' | 'after' | 'length'>): string {
  if (what === 'break') return `Break of ${length}`;
  if (what === 'exclusion') return `Exclusion of ${length}${step === 'withdrawn' ? ' ended' : ''}`;
  const name = PROTECTION_LIMITS[what];
  const words = limitText(what, after).toLowerCase();
  switch (step) {
    case 'set':
      return `${name}: ${words}, before ${limitText(what, before).toLowerCase()}`;
    case 'asked':
      return `${name}: ${words} asked for`;
    case 'confirmed':
      return `${name}: ${words} confirmed, before ${limitText(what, before).toLowerCase()}`;
    case 'withdrawn':
      return `${name}: ${words} not wanted any more`;
  }
}
