/** What the inputs of an editable table hold, as typed, by {@link cellName}. */
export type CellTexts = Record<string, string>;

/** A row that is edited: its id, and the numbers in its inputs; null shows as nothing. */
export type EditedRow<Field extends string> = { readonly id: string } & { readonly [F in Field]: number | null };

/** The name of one input: the field of a row. */
export function cellName(id: string, field: string): string {
  return `${id}:${field}`;
}

/** What the inputs show of these rows. */
export function textsOf<Field extends string>(rows: readonly EditedRow<Field>[], fields: readonly Field[]): CellTexts {
  return Object.fromEntries(
    rows.flatMap((row) => fields.map((field) => [cellName(row.id, field), String(row[field] ?? '')])),
  );
}

/**
 * What the inputs hold once the rows have been read anew: what was typed stays, all else follows. Null where that changes nothing.
 */
export function adopted(before: CellTexts, typed: CellTexts, fresh: CellTexts): CellTexts | null {
  const values = Object.fromEntries(
    Object.entries(fresh).map(([name, text]) => {
      const own = typed[name];
      return [name, own === undefined || own === before[name] ? text : own];
    }),
  );
  return Object.entries(fresh).every(([name, text]) => before[name] === text) ? null : values;
}

/** The rows of which an input holds something else than it began with. */
export function changedRows<Field extends string, Row extends EditedRow<Field>>(
  rows: readonly Row[],
  fields: readonly Field[],
  before: CellTexts,
  typed: CellTexts,
): Row[] {
  return rows.filter((row) =>
    fields.some((field) => {
      const name = cellName(row.id, field);
      return (typed[name] ?? '').trim() !== (before[name] ?? '').trim();
    }),
  );
}

/** What the server says of `updates.2.perTicket`, under the name of the input that it is about: the rows as they were sent. */
export function namedByRow(
  fields: Readonly<Record<string, string>>,
  sent: readonly { readonly id: string }[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => {
      const [, index, field] = /^updates\.(\d+)\.(\w+)$/.exec(name) ?? [];
      const row = index === undefined ? undefined : sent[Number(index)];
      return [row && field ? cellName(row.id, field) : name, text];
    }),
  );
}
