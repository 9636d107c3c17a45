import * as z from 'zod/mini';
import { hundredthsOf, id, time } from './primitives.ts';

type Schema = z.ZodMiniType;
type FromTo<Name extends string> = `${Name}From` | `${Name}To`;

/** What a list can be narrowed by. People choose it on the page, which keeps it in its URL; calls give its fields in the query. */
export interface ListFilter<
  Fields extends string = string,
  Field extends Schema = Schema,
  Name extends string = string,
> {
  /** How it is chosen; the page has one control for each kind. */
  readonly kind: 'choice' | 'id' | 'points' | 'days' | 'day' | 'period';
  readonly name: Name;
  /** What it narrows by, for people. */
  readonly label: string;
  /** Its fields of the query. Of two the first is the least and the second the most that is kept, both counted. */
  readonly fields: { readonly [K in Fields]: Field };
  /** The values of a choice with the words for them. */
  readonly options?: Readonly<Record<string, string>>;
  /** What is wrong with its two fields together, as a sentence about the second; null where nothing is. */
  readonly wrong?: (this: void, from: unknown, to: unknown) => string | null;
}

/** One of a few values. */
export function choice<const Name extends string, const Value extends string>(
  name: Name,
  label: string,
  options: Readonly<Record<Value, string>>,
): ListFilter<Name, z.ZodMiniOptional<z.ZodMiniEnum<{ [K in Value]: K }>>, Name> {
  const values = Object.keys(options) as Value[];
  const field = z.optional(z.enum(values, { error: `${label} is one of ${values.join(', ')}` }));
  return { kind: 'choice', name, label, options, fields: { [name]: field } as never };
}

/** What belongs to one account or other thing, by its id. No control offers it: a link leads there, and it can be taken away. */
export function byId<const Name extends string>(
  name: Name,
  label: string,
): ListFilter<Name, z.ZodMiniOptional<typeof id>, Name> {
  return { kind: 'id', name, label, fields: { [name]: z.optional(id) } as never };
}

const AMOUNT = 'Write an amount as plain digits with at most 2 decimals, such as 12.50';
const amountText = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,14}(\.\d{1,2})?$/, { error: AMOUNT })),
    z.pipe(z.transform(Number), z.number().check(z.refine((value) => hundredthsOf(value) !== null, { error: AMOUNT }))),
  ),
);

/** An amount of points, from and to; either may be left out. */
export function pointsBetween<const Name extends string>(
  name: Name,
  label: string,
): ListFilter<FromTo<Name>, typeof amountText, Name> {
  return {
    kind: 'points',
    name,
    label,
    fields: { [`${name}From`]: amountText, [`${name}To`]: amountText } as never,
    wrong: (from, to) => (Number(from) > Number(to) ? 'The most is less than the least' : null),
  };
}

/** The longest range of time that is asked for at once, in years. */
const MAX_YEARS = 5;
/** Clocks that are set forward and back make a range of local days so much longer. */
const CLOCKS_MS = 2 * 3_600_000;

/** What is wrong with two instants as the ends of a range. What is no instant is refused by itself. */
function wrongRange(from: unknown, to: unknown): string | null {
  const [start, end] = [Date.parse(from as string), Date.parse(to as string)];
  if (start > end) return 'The end lies before the start';
  const last = new Date(start);
  last.setUTCFullYear(last.getUTCFullYear() + MAX_YEARS);
  return end > last.getTime() + CLOCKS_MS ? `The end lies more than ${MAX_YEARS} years after the start` : null;
}

type Instants<Name extends string, Fields extends string> = ListFilter<Fields, z.ZodMiniOptional<typeof time>, Name>;

/** Instants, from and to; either may be left out. People choose days, of their own time zone. The fields are `{name}From` and `{name}To` unless said otherwise. */
export function between<const Name extends string>(name: Name, label: string): Instants<Name, FromTo<Name>>;
export function between<const Name extends string, const Fields extends string>(
  name: Name,
  label: string,
  fields: readonly [from: Fields, to: Fields],
): Instants<Name, Fields>;
export function between(
  name: string,
  label: string,
  fields?: readonly [from: string, to: string],
): Instants<string, string> {
  const [from, to] = fields ?? [`${name}From`, `${name}To`];
  const instant = z.optional(time);
  return { kind: 'days', name, label, fields: { [from]: instant, [to]: instant }, wrong: wrongRange };
}

/** The instants of one day. People choose the day, of their own time zone; calls give its first and its last instant, as with {@link between}. */
export function onDay<const Name extends string, const Fields extends string>(
  name: Name,
  label: string,
  fields: readonly [from: Fields, to: Fields],
): Instants<Name, Fields> {
  return { ...between(name, label, fields), kind: 'day' };
}

/** The period that a report is about: the instants [startDate, endDate]. There always is one; people choose it by its name or its days. */
export const period: ListFilter<'startDate' | 'endDate', typeof time, 'period'> = {
  kind: 'period',
  name: 'period',
  label: 'Period',
  fields: { startDate: time, endDate: time },
  wrong: wrongRange,
};

/** The same where a call may leave both instants out: then it is about today, a day of the server's time zone. */
export const periodOrToday = {
  ...period,
  fields: { startDate: z.optional(time), endDate: z.optional(time) },
} satisfies ListFilter;

/** The query with what its filters check of two of its fields together. */
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
