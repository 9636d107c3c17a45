import type { Route } from '@drawhouse/contract/route';
import type * as z from 'zod/mini';
import { CallError } from './errors.ts';

/** What a request gives a route, each part still as it came. */
export interface GivenInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Checks the input of a route by its contract. Throws INVALID_INPUT that names the wrong fields, the outermost first. */
export function validate(route: Route, given: GivenInput): GivenInput {
  const wrong = new Map<string, string>();
  const note = (name: string, message: string): void => void (wrong.has(name) || wrong.set(name, message));
  const check = (schema: z.ZodMiniType | undefined, value: unknown, whole: string): unknown => {
    if (!schema) return undefined;
    for (const name of nulFields(value, whole)) note(name, 'The NUL character is not allowed');
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const issues = parsed.error.issues.toSorted((a, b) => a.path.length - b.path.length);
    for (const issue of issues) note(issue.path.join('.') || whole, issue.message);
    return undefined;
  };
  const givenParams = given.params as Record<string, string>;
  const params = Object.fromEntries(
    Object.entries(route.params ?? {}).map(([name, schema]) => [name, check(schema, partOf(givenParams[name]!), name)]),
  );
  const query = check(route.query, given.query ?? {}, 'query');
  const body = check(route.body, given.body, 'body');
  if (wrong.size > 0) throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(wrong) });
  return { params, query, body };
}

/** A part of the path, without the colon that some calls of the specification have in front of it. */
function partOf(text: string): string {
  return text.replace(/^:/, '');
}

/** The fields of a query, or the parameter, with a NUL character, which PostgreSQL can't hold. Bodies are checked as they are parsed. */
function nulFields(value: unknown, whole: string): string[] {
  if (typeof value === 'string') return value.includes('\0') ? [whole] : [];
  if (whole !== 'query') return [];
  const query = Object.entries(value as Record<string, unknown>);
  return query.flatMap(([name, text]) => (String(text).includes('\0') ? [name] : []));
}
