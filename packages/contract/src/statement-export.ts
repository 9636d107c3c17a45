import { TRANSFER_KINDS } from './credit.ts';
import type { Movement } from './credit.ts';

/** One column of an exported statement. */
interface StatementColumn {
  readonly header: string;
  /** In characters. */
  readonly width: number;
  /** The cell; `formatTime` writes an instant in the time zone of the network. */
  readonly value: (movement: Movement, formatTime: (iso: string) => string) => string | number;
}

/** The columns of an exported statement, the balance last: opening and closing rows have nothing but it and their names. */
export const STATEMENT_COLUMNS: readonly StatementColumn[] = [
  { header: 'Date & Time', width: 22, value: (movement, formatTime) => formatTime(movement.at) },
  { header: 'Type', width: 24, value: (movement) => TRANSFER_KINDS[movement.kind] },
  { header: 'Counterpart', width: 30, value: (movement) => movement.counterpart },
  { header: 'By', width: 20, value: (movement) => movement.actor ?? 'System' },
  { header: 'Note', width: 40, value: (movement) => movement.note ?? '' },
  { header: 'Credit', width: 15, value: (movement) => movement.credit || '' },
  { header: 'Debit', width: 15, value: (movement) => movement.debit || '' },
  { header: 'Balance', width: 18, value: (movement) => movement.balance },
];

/** The names of a statement's first and last row. */
export const STATEMENT_ENDS = { opening: 'Opening balance', closing: 'Closing balance' } as const;
