import { statement, statementFiles, TRANSFER_KINDS } from '@drawhouse/contract/credit';
import type { Movement } from '@drawhouse/contract/credit';
import { period } from '@drawhouse/contract/list-filters';
import type { ListOf } from '../../lib/useList.ts';

/** A statement as a list: its call and its files, and what its page shows of each movement. */
export const statementList: ListOf<Movement, typeof statement> = {
  route: statement,
  files: [
    { format: 'xlsx', route: statementFiles.xlsx },
    { format: 'csv', route: statementFiles.csv },
  ],
  file: { name: 'Statement' },
  rowsKey: 'data',
  paging: 'keyset',
  filters: [period],
  search: undefined,
  order: '-at',
  columns: [
    { name: 'at', kind: 'time', header: 'Date & Time', width: 150 },
    { name: 'kind', kind: 'text', header: 'Type', width: 150, yields: 2, value: (row) => TRANSFER_KINDS[row.kind] },
    { name: 'counterpart', kind: 'text', header: 'Counterpart', width: 136, yields: 1 },
    { name: 'note', kind: 'text', header: 'Note', width: 120, yields: 3 },
    { name: 'actor', kind: 'text', header: 'By', width: 130, yields: 4 },
    { name: 'credit', kind: 'points', header: 'Credit', width: 128 },
    { name: 'debit', kind: 'points', header: 'Debit', width: 128 },
    { name: 'balance', kind: 'points', header: 'Balance', width: 130 },
  ],
};
