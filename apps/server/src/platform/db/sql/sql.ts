/** SQL with separate values. Only {@link sql} creates it. */
export class Sql {
  /** One more than `values`, which go between them. */
  readonly texts: readonly string[];
  readonly values: readonly unknown[];
  readonly name: string | undefined;

  constructor(texts: readonly string[], values: readonly unknown[], name?: string) {
    this.texts = texts;
    this.values = values;
    this.name = name;
  }

  /** Prepared once per connection. One name must always mean one text. */
  named(name: string): Sql {
    return new Sql(this.texts, this.values, name);
  }

  get text(): string {
    return this.texts.reduce((text, next, index) => `${text}$${index}${next}`);
  }

  toString(): string {
    return this.text;
  }

  get told(): { text: string; values: unknown[]; name: string | undefined } {
    return { text: this.text, values: this.values as unknown[], name: this.name };
  }
}

/** Inlines nested SQL; everything else becomes a value. */
function fill(template: readonly string[], given: readonly unknown[]): Sql {
  const texts = [template[0]!];
  const values: unknown[] = [];
  given.forEach((one, index) => {
    const next = template[index + 1]!;
    if (one instanceof Sql) {
      const before = texts.pop()!;
      texts.push(before + one.texts[0], ...one.texts.slice(1));
      texts.push(texts.pop()! + next);
      values.push(...one.values);
    } else {
      texts.push(next);
      values.push(one);
    }
  });
  return new Sql(texts, values);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function raw(text: string): Sql {
  if (/\$\d/.test(text)) throw new Error(`A placeholder has no value here: ${text}`);
  return new Sql([text], []);
}

/**
 * Builds SQL: `` sql`select from accounts where id = ${id}` ``. Nested SQL is inlined; other values are sent as
 * parameters. All server SQL uses it.
 */
export const sql = Object.assign((template: TemplateStringsArray, ...given: unknown[]): Sql => fill(template, given), {
  /** Trusted SQL text, from code only. */
  raw,
  /** Inlines a number so the planner sees it. */
  lit: (number: number): Sql => raw(String(number)),
  ref: (name: string): Sql => raw(name.split('.').map(quoted).join('.')),
  join: (items: readonly unknown[], separator: Sql = raw(', ')): Sql =>
    items.length === 0 ? raw('') : fill(['', ...items.slice(1).map(() => separator.text), ''], items),
});

/** Converts text with `$1`, `$2`, … placeholders. Repeated placeholders reuse a value. */
export function pieceOf(text: string, ...values: readonly unknown[]): Sql {
  const parts = text.split(/\$(\d+)/);
  return fill(
    parts.filter((_part, index) => index % 2 === 0),
    parts.filter((_part, index) => index % 2 === 1).map((place) => values[Number(place) - 1]),
  );
}

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/**
 * Natural sort order: case-insensitive, numbers by value, underscore first. Assumes usernames of at most 32 characters.
 */
export function asPeopleSort(name: Sql): Sql {
  const padded = sql`regexp_replace(translate(lower(${name}), '_', '!'), '([0-9]+)', ${`${'0'.repeat(32)}\\1`}, 'g')`;
  return sql`regexp_replace(${padded}, '[0-9]*([0-9]{32})', ${'\\1'}, 'g') collate "C"`;
}
