import type { Route } from '@drawhouse/contract/core/route';
import type * as z from 'zod/mini';
import { CallError } from '../http-errors.ts';
import { HTTP_TEXTS } from '../http-texts.ts';

export interface GivenInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Fast path for plain bodies; undefined defers to the schema. */
export type ReadPlain = (body: unknown) => unknown;

/** Names invalid fields, outermost first. Ignores empty query fields, because clients send unset ones. */
export function validatorOf(route: Route, readPlain?: ReadPlain): (rawInput: GivenInput) => GivenInput {
  const params = Object.entries(route.params ?? {});
  const { query, body, matches } = route;
  const refused = Object.entries(route.refuses ?? {});
  return (rawInput) => {
    const wrong = new Wrong();
    const input = {
      params: {} as Record<string, unknown>,
      query: undefined as unknown,
      body: undefined as unknown,
    };
    for (const [name, schema] of params)
      input.params[name] = check(wrong, schema, partOf((rawInput.params as Record<string, string>)[name]!), name);
    if (query || refused.length > 0) {
      const queryFields = setFields(rawInput.query);
      for (const [name, message] of refused) if (queryFields[name] !== undefined) wrong.note(name, message);
      if (query) input.query = check(wrong, query, queryFields, 'query', matches);
    }
    if (body) input.body = readPlain?.(rawInput.body) ?? check(wrong, body, rawInput.body, 'body');
    wrong.refuse();
    return input;
  };
}

class Wrong {
  #fields: Map<string, string> | undefined;

  note(name: string, message: string): void {
    this.#fields ??= new Map();
    if (!this.#fields.has(name)) this.#fields.set(name, message);
  }

  refuse(): void {
    if (this.#fields) throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(this.#fields) });
  }
}

function check(wrong: Wrong, schema: z.ZodMiniType, value: unknown, whole: string, matches?: string): unknown {
  for (const name of nulFields(value, whole)) if (name !== matches) wrong.note(name, HTTP_TEXTS.noNul);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.toSorted((a, b) => a.path.length - b.path.length);
  for (const issue of issues) wrong.note(issue.path.join('.') || whole, issue.message);
  return undefined;
}

function setFields(query: unknown): Record<string, unknown> {
  const fields = Object.entries((query ?? {}) as Record<string, unknown>);
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}

/** Some calls of the specification have a leading colon. */
function partOf(text: string): string {
  return text.replace(/^:/, '');
}

/** PostgreSQL cannot store NUL. Bodies are checked during parsing. */
function nulFields(value: unknown, whole: string): string[] {
  if (typeof value === 'string') return value.includes('\0') ? [whole] : [];
  if (whole !== 'query') return [];
  const query = Object.entries(value as Record<string, unknown>);
  return query.flatMap(([name, text]) => (String(text).includes('\0') ? [name] : []));
}
