import { isOfProtection } from './pendingBet.ts';
import type { BetRefusal, SentLine } from './pendingBet.ts';

const texts = {
  unheard: 'It did not reach the server before betting on its draw closed.',
  closed: 'Betting on this draw is closed.',
} as const;

/** Server messages for fields, naming the line's number; else the general one. */
export function refusalText(why: BetRefusal | null, lines: readonly SentLine[]): string {
  if (why === null) return texts.unheard;
  if (why.code === 'BETTING_CLOSED') return texts.closed;
  // The sentence already names the limit.
  if (isOfProtection(why)) return why.message;
  const about = Object.entries(why.fields ?? {}).map(([field, text]) => {
    const [, index] = /^lines\.(\d+)/.exec(field) ?? [];
    const on = index === undefined ? undefined : lines[Number(index)]?.drawno;
    return (on === undefined ? '' : `${on}: `) + (/[.!?]$/.test(text) ? text : `${text}.`);
  });
  return about.length > 0 ? about.join(' ') : why.message;
}
