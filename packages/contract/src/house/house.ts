import * as z from 'zod/mini';
import { IMAGE_LIMITS } from '../games/game-catalogue.ts';
import { requiredName } from '../core/names.ts';
import { done, success } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { WORLD } from './gambling-help.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { HOUSE_FIELD_TEXTS } from './house-texts.ts';

export const HOUSE_LIMITS = { name: 40, line: 160, terms: 16_000, gamblingHelp: 60 } as const;

const logo = z.nullable(z.object({ url: z.string(), width: z.number(), height: z.number() }));

const house = z.object({
  name: z.string(),
  logo,
  /** Null: the product's own. */
  color: z.nullable(z.string()),
  /** This and the next two may be empty. */
  helpLine: z.string(),
  ageNotice: z.string(),
  /** Paragraphs, separated by empty lines. */
  terms: z.string(),
  gamblingHelp: z.array(z.object({ country: z.string(), name: z.string(), contact: z.string() })),
});
export type House = z.output<typeof house>;

/** The server writes it into each page, so that nothing moves later. Empty parts are left out. */
export interface HouseInPage extends Pick<House, 'name'> {
  readonly logo?: NonNullable<House['logo']>;
  readonly helpLine?: string;
  readonly ageNotice?: string;
  readonly hasTerms?: true;
  /** Only if they are few. */
  readonly gamblingHelp?: House['gamblingHelp'];
}

export const readHouse = route({
  method: 'GET',
  path: 'house',
  summary: 'Name, logo, color, help line, age notice, terms and gambling help lines of the house.',
  access: 'public',
  response: z.object({ ...success, data: house }),
});

/** `terms` may have line breaks. */
const CONTROL = /\p{Cc}/u;
const CONTROL_OF_TEXT = /[^\P{Cc}\n\t]/u;

function line(name: string) {
  return z.string({ error: HOUSE_FIELD_TEXTS.notText(name) }).check(
    z.trim(),
    z.maxLength(HOUSE_LIMITS.line, { error: CORE_TEXTS.tooLong(HOUSE_LIMITS.line) }),
    z.refine((text) => !CONTROL.test(text), { error: HOUSE_FIELD_TEXTS.controlCharacters }),
  );
}

const terms = z.pipe(
  z.pipe(
    z.string({ error: HOUSE_FIELD_TEXTS.notText('terms') }),
    z.transform((text: string) => text.replaceAll('\r\n', '\n').trim()),
  ),
  z.string().check(
    z.maxLength(HOUSE_LIMITS.terms, { error: CORE_TEXTS.tooLong(HOUSE_LIMITS.terms) }),
    z.refine((text) => !CONTROL_OF_TEXT.test(text), { error: HOUSE_FIELD_TEXTS.controlCharacters }),
  ),
);

const color = z.union(
  [
    z.null(),
    z.literal(''),
    z.string().check(z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, { error: HOUSE_FIELD_TEXTS.wrongColor })),
  ],
  { error: HOUSE_FIELD_TEXTS.wrongColor },
);

function isCountry(code: string): boolean {
  if (code === WORLD) return true;
  return (
    /^[A-Z]{2}$/.test(code) && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined
  );
}

const helpText = (what: string, most: number) =>
  z.string({ error: HOUSE_FIELD_TEXTS.helpMissing(what) }).check(
    z.trim(),
    z.minLength(1, { error: HOUSE_FIELD_TEXTS.helpMissing(what) }),
    z.maxLength(most, { error: HOUSE_FIELD_TEXTS.helpTooLong(most, what) }),
    z.refine((text) => !CONTROL.test(text), { error: HOUSE_FIELD_TEXTS.controlCharacters }),
  );
const gamblingHelp = z
  .array(
    z.object(
      {
        country: z
          .string({ error: HOUSE_FIELD_TEXTS.wrongCountry })
          .check(z.refine(isCountry, { error: HOUSE_FIELD_TEXTS.wrongCountry })),
        name: helpText('name', 80),
        contact: helpText('contact', 60),
      },
      { error: HOUSE_FIELD_TEXTS.wrongHelp },
    ),
    { error: HOUSE_FIELD_TEXTS.wrongHelp },
  )
  .check(z.maxLength(HOUSE_LIMITS.gamblingHelp, { error: HOUSE_FIELD_TEXTS.tooMuchHelp(HOUSE_LIMITS.gamblingHelp) }));

/** JSON in forms. Empty: the default list. */
const gamblingHelpOrText = z.pipe(
  z.union([z.null(), z.string(), z.array(z.unknown())], { error: HOUSE_FIELD_TEXTS.wrongHelp }),
  z.pipe(
    z.transform((input: string | unknown[] | null) => (typeof input === 'string' ? parsed(input) : input)),
    z.nullable(gamblingHelp),
  ),
);

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const houseChange = z.object({
  name: z.optional(requiredName(HOUSE_FIELD_TEXTS.nameMissing, HOUSE_LIMITS.name)),
  color: z.optional(color),
  helpLine: z.optional(line('help line')),
  ageNotice: z.optional(line('age notice')),
  terms: z.optional(terms),
  gamblingHelp: z.optional(gamblingHelpOrText),
  logo: z.optional(z.union([z.null(), z.literal('')], { error: CORE_TEXTS.noFile })),
});
export type HouseChange = z.output<typeof houseChange>;

export const changeHouse = route({
  method: 'PUT',
  path: 'house',
  inFirstCell: true,
  summary: 'Changes the given parts of the house. The logo is a JPEG, PNG or WebP file of at most 2 MB.',
  access: ['superadmin'],
  permission: 'settings',
  sensitive: false,
  body: houseChange,
  files: { names: { logo: 1 }, maxBytes: IMAGE_LIMITS.bytes },
  bodyLimit: 8 * HOUSE_LIMITS.terms,
  response: z.object({ ...done.shape, data: house }),
});
