export type CellTexts = Record<string, string>;

export type EditedRow<Field extends string> = { readonly id: string } & {
  readonly [F in Field]: number | string | null;
};

export function cellName(id: string, field: string): string {
  return `${id}:${field}`;
}

export function textsOf<Field extends string>(rows: readonly EditedRow<Field>[], fields: readonly Field[]): CellTexts {
  return Object.fromEntries(
    rows.flatMap((row) => fields.map((field) => [cellName(row.id, field), String(row[field] ?? '')])),
  );
}

/** Keeps typed texts; others follow the server. Null if nothing changes. */
export function mergeFreshTexts(before: CellTexts, typed: CellTexts, fresh: CellTexts): CellTexts | null {
  const values = Object.fromEntries(
    Object.entries(fresh).map(([name, text]) => {
      const own = typed[name];
      return [name, own === undefined || own === before[name] ? text : own];
    }),
  );
  return Object.entries(fresh).every(([name, text]) => before[name] === text) ? null : values;
}

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

/** Maps server paths such as `updates.2.perTicket` to inputs, by order of the sent rows. */
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
