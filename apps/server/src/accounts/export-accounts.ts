import { ACCOUNT_EXPORTS } from '@drawhouse/contract/account-export';
import { writeXlsxStream } from 'hucre';
import type { Services } from '../db/services.ts';
import { exportTime } from '../http/export-time.ts';
import type { FileAnswer } from '../http/handler.ts';
import { accountsById, listIds } from './accounts.sql.ts';
import type { AccountListing } from './accounts.sql.ts';

/** Rows are read in pieces of this size, so that the whole list is never in memory. */
const PIECE_ROWS = 1_000;
/** More rows than any list has. */
const ALL_ROWS = 1_000_000;

/** Every account of a listing as an Excel file, streamed. The order is fixed at the start; what is deleted meanwhile is left out. */
export async function exportAccounts(
  services: Services,
  actorId: string,
  listing: AccountListing,
  timeZone: string = services.timeZone,
): Promise<FileAnswer> {
  const { patient } = services.db;
  const { clock } = services;
  const { fileName, sheet, columns } = ACCOUNT_EXPORTS[listing.role];
  const ids = await listIds(patient, actorId, clock.now(), listing, { limit: ALL_ROWS, offset: 0 });
  const formatTime = exportTime(timeZone);
  async function* rows(): AsyncGenerator<(string | number)[]> {
    for (let start = 0; start < ids.length; start += PIECE_ROWS) {
      const accounts = await accountsById(patient, actorId, clock.now(), ids.slice(start, start + PIECE_ROWS));
      for (const account of accounts) yield columns.map((column) => column.value(account, formatTime));
    }
  }
  return {
    fileName,
    rows: ids.length,
    stream: writeXlsxStream(rows(), { name: sheet, columns: columns.map(({ header, width }) => ({ header, width })) }),
  };
}
