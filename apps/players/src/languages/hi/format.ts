import type { Formats } from '../../lib/inLanguage.ts';

/** Set when the app reads its first texts. Texts with numbers are functions, so none runs earlier. */
let formats: Formats;

export function takeFormats(given: Formats): void {
  formats = given;
}

export const points = (value: number): string => formats.pointsText(value);
export const count = (value: number): string => formats.countText(value);
export const decimal = (value: number): string => formats.decimalText(value);
export const percent = (share: number): string => formats.percentText(share);
export const clock = (iso: string): string => formats.clockText(iso);
export const moment = (iso: string): string => formats.momentText(iso);
export const date = (iso: string): string => formats.dateText(iso);
/** Hindi has two forms; the first is also that of zero. */
export const plural = (value: number, one: string, other: string): string => formats.plural(value, { one, other });

export const bets = (value: number): string => `${count(value)}\u00A0बेट`;
export const wins = (value: number): string => `${count(value)}\u00A0${plural(value, 'जीत', 'जीतें')}`;
