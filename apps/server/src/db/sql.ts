/** SQL with its values, which never become text. {@link sql} alone makes it. */
export class Sql {
  /** One text more than there are values, each of which stands between two. */
  readonly texts: readonly string[];
  readonly values: readonly unknown[];
  readonly name: string | undefined;

  constructor(texts: readonly string[], values: readonly unknown[], name?: string) {
    this.texts = texts;
    this.values = values;
    this.name = name;
  }

  /** The same as a statement that is prepared once per connection. Its text must be the same wherever it has this name. */
  named(name: string): Sql {
    return new Sql(this.texts, this.values, name);
  }

  /** The text of a statement, with `$1`, `$2`, … for its values. */
  get text(): string {
    return this.texts.reduce((text, next, index) => `${text}$${index}${next}`);
  }

  toString(): string {
    return this.text;
  }

  /** What the driver is told. */
  get told(): { text: string; values: unknown[]; name: string | undefined } {
    return { text: this.text, values: this.values as unknown[], name: this.name };
  }
}

/** Makes SQL of a template: SQL in it becomes part of the text, everything else a value. */
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
 * Makes SQL: `` sql`select from accounts where id = ${id}` ``. SQL between `${…}` becomes part of it, everything else a value that the driver sends
 * apart. All SQL of the server is written with it.
 */
export const sql = Object.assign((template: TemplateStringsArray, ...given: unknown[]): Sql => fill(template, given), {
  /** Text that is SQL already, from code alone. */
  raw,
  /** A number in the text itself, for what the planner should know. */
  lit: (number: number): Sql => raw(String(number)),
  /** A column, perhaps with the name of its table and a dot before it, in quotes. */
  ref: (name: string): Sql => raw(name.split('.').map(quoted).join('.')),
  /** SQL or values with commas, or a separator, between them. */
  join: (items: readonly unknown[], separator: Sql = raw(', ')): Sql =>
    items.length === 0 ? raw('') : fill(['', ...items.slice(1).map(() => separator.text), ''], items),
});

/** A text with placeholders `$1`, `$2`, … as a piece; each value stands wherever its placeholder does. */
export function pieceOf(text: string, ...values: readonly unknown[]): Sql {
  const parts = text.split(/\$(\d+)/);
  return fill(
    parts.filter((_part, index) => index % 2 === 0),
    parts.filter((_part, index) => index % 2 === 1).map((place) => values[Number(place) - 1]),
  );
}

/** Conditions of which all must hold. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/**
 * A name as people sort it: whatever the case, and the numbers in it by their size. Names are at most 32 letters, digits, dots,
 * underscores and hyphens; the underscore goes first, as dictionaries have it.
 */
export function asPeopleSort(name: Sql): Sql {
  const padded = sql`regexp_replace(translate(lower(${name}), '_', '!'), '([0-9]+)', ${`${'0'.repeat(32)}\\1`}, 'g')`;
  return sql`regexp_replace(${padded}, '[0-9]*([0-9]{32})', ${'\\1'}, 'g') collate "C"`;
}
