import type { ListFilter } from '@drawhouse/contract/core/list-filters';
import { formatCalendarDay, formatPoints } from '../format/format.ts';
import { namesOf, type ListState } from './listUrl.ts';

/** Returns `Active`, `5.00 – 10.00`, `from 01 Jan 2026`; null if unset. */
export function filterText(filter: ListFilter, state: ListState): string | null {
  const [first, second] = namesOf(filter).map((name) => state[name]);
  if (filter.kind === 'choice') return first === undefined ? null : (filter.options?.[first] ?? first);
  const written = (value: string) =>
    filter.kind === 'points' ? formatPoints(Number(value)) : formatCalendarDay(value);
  if (first !== undefined && second !== undefined) {
    return first === second ? written(first) : `${written(first)} – ${written(second)}`;
  }
  if (first !== undefined) return filter.kind === 'day' ? written(first) : `from ${written(first)}`;
  return second === undefined ? null : `up to ${written(second)}`;
}

export function plainAmount(text: string): string {
  return text.replaceAll(/[\s,]/g, '');
}

interface Parsed {
  success: boolean;
  error?: { issues: readonly { message: string }[] };
}

export function filterErrors(filter: ListFilter, draft: ListState): Readonly<Record<string, string>> {
  const names = namesOf(filter);
  const errors: Record<string, string> = {};
  if (filter.kind === 'points') {
    for (const name of names) {
      const parsed: Parsed = filter.fields[name]!.safeParse(draft[name] || undefined);
      if (!parsed.success) errors[name] = parsed.error?.issues[0]?.message ?? '';
    }
  }
  const [first, second] = names.map((name) => draft[name] ?? '');
  // The last day counts in full.
  const end = filter.kind === 'points' ? second : `${second}T23:59:59.999Z`;
  const wrong = first && second && Object.keys(errors).length === 0 ? filter.wrong?.(first, end) : null;
  if (wrong) errors[names[1]!] = wrong;
  return errors;
}
