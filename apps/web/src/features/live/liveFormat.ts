import type { ResultData } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import type { FamilyName } from '@drawhouse/rules/catalogue';
import { layoutOf } from '@drawhouse/rules/layout';
import type { PanelLayout, Selection } from '@drawhouse/rules/layout';
import { shortWinners } from '@drawhouse/rules/shown-result';
import { formatCount, formatPoints } from '../../lib/format.ts';

const clockFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** The time of day with seconds in the reader's zone: `22:33:07`. */
export function formatClock(iso: string): string {
  return clockFormat.format(new Date(iso));
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: '2-digit', month: 'short' });

/** The same, with the day where it is not the day of `now`, which may be any time of that day: `22:33:07 on Tue, 24 Nov`. */
export function formatMoment(iso: string, now: string): string {
  const day = dayFormat.format(new Date(iso));
  return day === dayFormat.format(new Date(now)) ? formatClock(iso) : `${formatClock(iso)} on ${day}`;
}

/** What stands above a panel: its title, and whose or which it is beside that. */
export function titleOf(
  { title }: PanelLayout,
  { gameName, username }: Pick<Panel, 'gameName' | 'username'>,
): { title: string; of: string } {
  return title === null
    ? { title: gameName, of: username }
    : { title: title.replace('{token}', username), of: gameName };
}

/** A result of several numbers, with the layout by whose sections they are told; null where it is one outcome. */
export function winnersOf(
  { gameId, family, digits }: Pick<Panel, 'gameId' | 'family' | 'digits'>,
  result: ResultData,
): { layout: PanelLayout; winners: Selection } | null {
  if (!('winners' in result)) return null;
  return { layout: layoutOf({ gameId, family: family as FamilyName, digits }), winners: result.winners };
}

/** A result in a few characters: its text, or of several numbers the first. */
export function resultName(game: Parameters<typeof winnersOf>[0], result: ResultData, text: string): string {
  const several = winnersOf(game, result);
  return several ? shortWinners(several.layout, several.winners) : text;
}

/** A way to write amounts in thousands, millions or more, with the sign that exact ones have: `−4.655M`. */
export function compactFormat(digits: Intl.NumberFormatOptions): (amount: number) => string {
  const format = new Intl.NumberFormat('en-US', { notation: 'compact', ...digits });
  return (amount) => format.format(amount).replace('-', '\u2212');
}

/** Below this, points without their decimals are few characters. */
const WHOLE_BELOW = 99_999.5;
const fourDigits = compactFormat({ minimumSignificantDigits: 4, maximumSignificantDigits: 4 });

/** Points in a few characters: `12,345`, `−4.655M`. The exact ones stand where there is room for them. */
export function shortPoints(points: number): string {
  if (Math.abs(points) < WHOLE_BELOW) return formatCount(points);
  return fourDigits(points);
}

/** Points in at most so many characters: exact where that is enough, else in few. */
export function pointsWithin(points: number, most: number): string {
  const exact = formatPoints(points);
  return exact.length <= most ? exact : shortPoints(points);
}

/**
 * The first of some ways to write an amount, longest first, that fits into a room of so many px with letters of `leastFontPx`, where a digit
 * is so wide as a part of the font's size; else the last.
 */
export function fittingText(texts: readonly string[], widthPx: number, digit: number, leastFontPx: number): string {
  return texts.find((text) => text.length * digit * leastFontPx <= widthPx) ?? texts.at(-1)!;
}
