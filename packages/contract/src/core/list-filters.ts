import * as z from 'zod/mini';
import { hundredthsOf, id, time } from './primitives.ts';
import { CORE_TEXTS } from './field-texts.ts';

type Schema = z.ZodMiniType;
type FromTo<Name extends string> = `${Name}From` | `${Name}To`;

export interface ListFilter<
  Fields extends string = string,
  Field extends Schema = Schema,
  Name extends string = string,
> {
  readonly kind: 'choice' | 'id' | 'points' | 'days' | 'day' | 'period';
  readonly name: Name;
  readonly label: string;
  /** A pair means minimum and maximum, both inclusive. */
  readonly fields: { readonly [K in Fields]: Field };
  readonly options?: Readonly<Record<string, string>>;
  /** A sentence about the second field, or null. */
  readonly wrong?: (this: void, from: unknown, to: unknown) => string | null;
}

export function choiceFilter<const Name extends string, const Value extends string>(
  name: Name,
  label: string,
  options: Readonly<Record<Value, string>>,
): ListFilter<Name, z.ZodMiniOptional<z.ZodMiniEnum<{ [K in Value]: K }>>, Name> {
  const values = Object.keys(options) as Value[];
  const field = z.optional(z.enum(values, { error: CORE_TEXTS.oneOf(label, values) }));
  return { kind: 'choice', name, label, options, fields: { [name]: field } as never };
}

/** Filters by an id that links set. The page shows it, so that users can remove it. */
export function idFilter<const Name extends string>(
  name: Name,
  label: string,
): ListFilter<Name, z.ZodMiniOptional<typeof id>, Name> {
  return { kind: 'id', name, label, fields: { [name]: z.optional(id) } as never };
}

const amountText = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,14}(\.\d{1,2})?$/, { error: CORE_TEXTS.wrongPoints })),
    z.pipe(
      z.transform(Number),
      z.number().check(z.refine((value) => hundredthsOf(value) !== null, { error: CORE_TEXTS.wrongPoints })),
    ),
  ),
);

export function pointsBetween<const Name extends string>(
  name: Name,
  label: string,
): ListFilter<FromTo<Name>, typeof amountText, Name> {
  return {
    kind: 'points',
    name,
    label,
    fields: { [`${name}From`]: amountText, [`${name}To`]: amountText } as never,
    wrong: (from, to) => (Number(from) > Number(to) ? CORE_TEXTS.maximumTooLow : null),
  };
}

const MAX_YEARS = 5;
/** Allowance for clock changes in a range of local days. */
const CLOCKS_MS = 2 * 3_600_000;

/** Ignores invalid instants: their schema refuses them. */
function wrongRange(from: unknown, to: unknown): string | null {
  const [start, end] = [Date.parse(from as string), Date.parse(to as string)];
  if (start > end) return CORE_TEXTS.endBeforeStart;
  const last = new Date(start);
  last.setUTCFullYear(last.getUTCFullYear() + MAX_YEARS);
  return end > last.getTime() + CLOCKS_MS ? CORE_TEXTS.periodTooLong(MAX_YEARS) : null;
}

type Instants<Name extends string, Fields extends string> = ListFilter<Fields, z.ZodMiniOptional<typeof time>, Name>;

/** Both instants are optional. People pick days in their own time zone. Default fields: `{name}From` and `{name}To`. */
export function periodFilter<const Name extends string>(name: Name, label: string): Instants<Name, FromTo<Name>>;
export function periodFilter<const Name extends string, const Fields extends string>(
  name: Name,
  label: string,
  fields: readonly [from: Fields, to: Fields],
): Instants<Name, Fields>;
export function periodFilter(
  name: string,
  label: string,
  fields?: readonly [from: string, to: string],
): Instants<string, string> {
  const [from, to] = fields ?? [`${name}From`, `${name}To`];
  const instant = z.optional(time);
  return { kind: 'days', name, label, fields: { [from]: instant, [to]: instant }, wrong: wrongRange };
}

/** Calls send the first and last instant of the day in the user's time zone. */
export function onDay<const Name extends string, const Fields extends string>(
  name: Name,
  label: string,
  fields: readonly [from: Fields, to: Fields],
): Instants<Name, Fields> {
  return { ...periodFilter(name, label, fields), kind: 'day' };
}

/** Both instants are required and inclusive. */
export const period: ListFilter<'startDate' | 'endDate', typeof time, 'period'> = {
  kind: 'period',
  name: 'period',
  label: 'Period',
  fields: { startDate: time, endDate: time },
  wrong: wrongRange,
};

/** Defaults to today in the server's time zone. */
export const periodOrToday = {
  ...period,
  fields: { startDate: z.optional(time), endDate: z.optional(time) },
} satisfies ListFilter;

export function checked<Query extends z.ZodMiniObject>(query: Query, filters: readonly ListFilter[]): Query {
  return filters.reduce((all, { fields, wrong }) => {
    const [from, to] = Object.keys(fields);
    if (!wrong || from === undefined || to === undefined) return all;
    return all.check(({ value, issues }) => {
      const { [from]: least, [to]: most } = value;
      const message = least === undefined || most === undefined ? null : wrong(least, most);
      if (message !== null) issues.push({ code: 'custom', message, path: [to], input: most });
    });
  }, query);
}
