/**
 * Explicit table roles: Safari drops them from elements with grid layout. Spread as props, because literal roles would
 * count as redundant.
 */
export const AS = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
