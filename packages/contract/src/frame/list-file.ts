import { valueOf } from './list.ts';
import type { CellValue, List, ListColumn } from './list.ts';

export function fileColumns<Row>(of: Pick<List, 'file'> & { columns: readonly ListColumn<Row>[] }): ListColumn<Row>[] {
  const exported = of.columns.filter((column) => column.export);
  const order = of.file?.columns;
  if (!order) return exported;
  return order.map((name) => exported.find((column) => column.name === name)!);
}

/** `width` in characters. */
export function fileHead({ header, kind, export: own }: ListColumn<never>): {
  header: string;
  width: number;
  points: boolean;
} {
  return { header: own?.header ?? header, width: own?.width ?? header.length, points: kind === 'points' };
}

/** `formatTime` writes an instant in the reader's time zone. */
export function fileCellOf<Row>(
  column: ListColumn<Row>,
  row: Row,
  formatTime: (iso: string) => string,
): Exclude<CellValue, null> {
  const value = column.export?.value ? column.export.value(row) : valueOf(column, row);
  return column.kind === 'time' && typeof value === 'string' && value !== '' ? formatTime(value) : (value ?? '');
}
