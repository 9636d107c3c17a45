import { drawName } from '@drawhouse/rules/time/draw-name';
import type { ResultData } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { layoutOf, type PanelLayout, type Selection } from '@drawhouse/rules/panel/layout';
import { shortWinners } from '@drawhouse/rules/panel/shown-result';
import { formatCount, formatPoints } from '../../lib/format/format.ts';

const clockFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

export function formatClock(iso: string): string {
  return clockFormat.format(new Date(iso));
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: '2-digit', month: 'short' });

/** Adds the day unless it is that of `now`: `22:33:07 on Tue, 24 Nov`. */
export function formatMoment(iso: string, now: string): string {
  const day = dayFormat.format(new Date(iso));
  return day === dayFormat.format(new Date(now)) ? formatClock(iso) : `${formatClock(iso)} on ${day}`;
}

/** As `29 Nov`. The name of an outside result has the clock time, and the draw is recent. */
export function shortDate(number: number): string {
  return drawName(number).replace(/ \d{4}, .*/, '');
}

export function titleOf(
  { title }: PanelLayout,
  { gameName, username }: Pick<Panel, 'gameName' | 'username'>,
): { title: string; of: string } {
  return title === null
    ? { title: gameName, of: username }
    : { title: title.replace('{token}', username), of: gameName };
}

/** Null for a single outcome. */
export function winnersOf(
  { gameId, family, digits }: Pick<Panel, 'gameId' | 'family' | 'digits'>,
  result: ResultData,
): { layout: PanelLayout; winners: Selection } | null {
  if (!('winners' in result)) return null;
  return { layout: layoutOf({ gameId, family: family as FamilyName, digits }), winners: result.winners };
}

/** Names the first of several numbers. */
export function resultName(game: Parameters<typeof winnersOf>[0], result: ResultData, text: string): string {
  const several = winnersOf(game, result);
  return several ? shortWinners(several.winners) : text;
}

export function compactFormat(digits: Intl.NumberFormatOptions): (amount: number) => string {
  const format = new Intl.NumberFormat('en-US', { notation: 'compact', ...digits });
  return (amount) => format.format(amount).replace('-', '\u2212');
}

const COMPACT_FROM = 99_999.5;
const fourDigits = compactFormat({ minimumSignificantDigits: 4, maximumSignificantDigits: 4 });

/** Formats `12,345` and `−4.655M`, where exact amounts do not fit. */
export function shortPoints(points: number): string {
  if (Math.abs(points) < COMPACT_FROM) return formatCount(points);
  return fourDigits(points);
}

const oneDecimal = compactFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Gives all amounts of a grid the same decimals: `12.00`, else `12`, else `12.3K`. */
export function gridFormat(amounts: readonly number[], fits: (text: string) => boolean): (points: number) => string {
  const ends = [Math.max(0, ...amounts), Math.min(0, ...amounts)];
  return [formatPoints, formatCount].find((format) => ends.every((end) => fits(format(end)))) ?? oneDecimal;
}

/** Returns the first text that fits, else the last. `digit`: digit width relative to the font size. */
export function fittingText(texts: readonly string[], widthPx: number, digit: number, leastFontPx: number): string {
  return texts.find((text) => text.length * digit * leastFontPx <= widthPx) ?? texts.at(-1)!;
}
