import { describe, expect, it } from 'vitest';
import type { DataColumn } from './dataColumn.ts';
import { layOutTable, type TableExtras, type TableRoom } from './tableLayout.ts';

const COLUMNS: readonly DataColumn<object>[] = [
  { id: 'both', header: 'Both', phoneOnly: true },
  { id: 'name', header: 'Name', width: 200 },
  { id: 'note', header: 'Note', width: 300 },
  { id: 'amount', header: 'Amount', width: 140, priority: true, align: 'right' },
];
const ALL: TableExtras = { selectable: true, numbered: true, icons: 3, details: false };

function placedIn(room: Partial<TableRoom>, extras: Partial<TableExtras> = {}): string {
  const { placed } = layOutTable(COLUMNS, { ...ALL, ...extras }, { width: 1000, phone: false, coarse: false, ...room });
  return placed.map(({ key, width }) => `${key.replace('column ', '')} ${width}`).join(', ');
}

describe('layOutTable', () => {
  it('shows everything if it fits', () => {
    expect(placedIn({})).toBe('select 44, number 60, name 200, note 300, amount 140, actions 116');
  });

  it('hides columns that do not fit and opens them from the row', () => {
    expect(placedIn({ width: 859 })).toBe('select 44, number 60, name 200, amount 140, actions 116, more 44');
    expect(placedIn({ width: 860 })).toBe('select 44, number 60, name 200, note 300, amount 140, actions 116');
  });

  it('leaves the free width to a growing column, which hides at the same width as another', () => {
    const columns = COLUMNS.map((column) => ({ ...column, grows: column.id === 'note' }));
    const widthsAt = (width: number): readonly unknown[] =>
      layOutTable(columns, { ...ALL, icons: null }, { width, phone: false, coarse: false }).placed.map(
        (each) => each.width,
      );
    expect(widthsAt(744)).toEqual([44, 60, 200, undefined, 140]);
    expect(widthsAt(743)).toEqual([44, 60, 200, 140, 44]);
  });

  it('shows a hidden value below the column it belongs under', () => {
    const columns = COLUMNS.map((column) => ({ ...column, under: column.id === 'note' ? 'name' : undefined }));
    const belowName = (width: number, phone = false): readonly string[] => {
      const { shown, below } = layOutTable(columns, ALL, { width, phone, coarse: false });
      return below(shown.find(({ id }) => id === 'name') ?? columns[1]!).map(({ id }) => id);
    };
    expect(belowName(859)).toEqual(['note']);
    expect(belowName(860)).toEqual([]);
    expect(belowName(390, true)).toEqual([]);
  });

  it('drops row numbers in a narrow table', () => {
    expect(placedIn({ width: 619 })).toBe('select 44, name 200, amount 140, actions 116, more 44');
  });

  it('makes actions thumb-sized and at least as wide as their heading', () => {
    expect(placedIn({ coarse: true }, { selectable: false, numbered: false })).toMatch(/, actions 152$/);
    expect(placedIn({}, { selectable: false, numbered: false, icons: 0 })).toMatch(/, actions 72$/);
    expect(placedIn({}, { selectable: false, numbered: false, icons: null })).toMatch(/, amount 140$/);
  });

  it('keeps key columns on a phone and opens actions from the row', () => {
    expect(placedIn({ width: 390, phone: true }, { selectable: false })).toBe('both 100%, amount 124, more 44');
  });

  it('reserves room for the opener of rows with details', () => {
    const room = { width: 684, phone: false, coarse: false };
    const extras = { selectable: false, numbered: false, icons: null, details: true };
    expect(layOutTable(COLUMNS, extras, room)).toMatchObject({ opener: true, minWidth: 684 });
  });
});
