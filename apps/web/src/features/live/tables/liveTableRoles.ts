/**
 * What the elements of a table are to those who hear it, said once more: Safari takes what is laid out as a grid for no table. Given as
 * props, as in general to say it is to repeat the element.
 */
export const AS = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
