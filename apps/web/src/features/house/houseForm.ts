import { DEFAULT_GAMBLING_HELP, type GamblingHelp } from '@drawhouse/contract/house/gambling-help';
import type { House } from '@drawhouse/contract/house/house';
import type { ImageOfForm } from '../../lib/form/readImage.ts';
import { houseTexts } from './houseTexts.ts';

const texts = houseTexts.wrong;

export interface HouseForm {
  name: string;
  logo: ImageOfForm | null;
  color: string;
  helpLine: string;
  ageNotice: string;
  terms: string;
  /** One per line: `IN; Tele-MANAS; 14416`. */
  gamblingHelp: string;
}

export function formOfHouse(house: House): HouseForm {
  return {
    name: house.name,
    logo: house.logo && { url: house.logo.url },
    color: house.color ?? '',
    helpLine: house.helpLine,
    ageNotice: house.ageNotice,
    terms: house.terms,
    gamblingHelp: linesOf(house.gamblingHelp),
  };
}

export function linesOf(help: readonly GamblingHelp[]): string {
  return help.map(({ country, name, contact }) => `${country}; ${name}; ${contact}`).join('\n');
}

/** A number is the first invalid line's. */
export function parseLines(text: string): GamblingHelp[] | number {
  const help: GamblingHelp[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [country = '', name = '', contact = '', ...more] = line.split(';').map((part) => part.trim());
    if (country === '' || name === '' || contact === '' || more.length > 0) return index + 1;
    help.push({ country: country.toUpperCase(), name, contact });
  }
  return help;
}

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text.trim());
}

export function houseErrors({ name, color, gamblingHelp }: HouseForm): Record<string, string> {
  const help = parseLines(gamblingHelp);
  return {
    ...(name.trim() === '' && { name: texts.name }),
    ...(color.trim() !== '' && !isColor(color) && { color: texts.color }),
    ...(typeof help === 'number' && { gamblingHelp: texts.line(help) }),
  };
}

/** The server names an entry by its place: `gamblingHelp.2.country`. */
export function helpError(errors: Readonly<Record<string, unknown>>): string | undefined {
  const [name, text] = Object.entries(errors).find(([field]) => field.startsWith('gamblingHelp')) ?? [];
  const place = name?.split('.')[1];
  return place === undefined ? (text as string | undefined) : texts.entry(Number(place) + 1, String(text));
}

export function changesOfHouse(before: HouseForm, after: HouseForm): FormData | null {
  const data = new FormData();
  for (const name of ['name', 'color', 'helpLine', 'ageNotice', 'terms'] as const)
    if (before[name].trim() !== after[name].trim()) data.append(name, after[name].trim());
  if (before.gamblingHelp !== after.gamblingHelp) {
    const isDefault = after.gamblingHelp === linesOf(DEFAULT_GAMBLING_HELP);
    data.append('gamblingHelp', isDefault ? '' : JSON.stringify(parseLines(after.gamblingHelp)));
  }
  if (after.logo?.file) data.append('logo', after.logo.file, 'logo');
  else if (before.logo && !after.logo) data.append('logo', '');
  return [...data.keys()].length === 0 ? null : data;
}
