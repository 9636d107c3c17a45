import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { aboutFile, fileCellOf, fileColumns, fileHead } from '@drawhouse/contract/core/list-file';
import { exportXlsx } from '../../../lib/server/exportXlsx.ts';
import { formatSheetTime } from '../../../lib/format/format.ts';
import type { Level } from '../../../commonTexts.ts';
import { accountListTexts } from './accountListTexts.ts';

export async function exportSelected(
  level: Level,
  accounts: readonly Account[],
  by: { username: string; role: string },
): Promise<void> {
  const list = accountLists[level];
  const columns = fileColumns<Account>(list);
  const fileMeta = {
    by,
    at: new Date().toISOString(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    formatTime: formatSheetTime,
    query: {},
    order: '',
    of: { Selection: accountListTexts.rowsSelectedByHand },
  };
  await exportXlsx(
    list.file!,
    columns.map(fileHead),
    accounts.map((account) => columns.map((column) => fileCellOf(column, account, formatSheetTime))),
    { lines: aboutFile(list, fileMeta, accounts.length), fileMeta },
  );
}
