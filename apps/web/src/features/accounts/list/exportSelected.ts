import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { numberFormatOf, xlsxCell } from '@drawhouse/contract/core/file-format';
import { type CellValue, type ColumnKind, type ListFile, XLSX_TYPE } from '@drawhouse/contract/core/list';
import {
  aboutFile,
  type AboutLine,
  aboutProperties,
  fileCellOf,
  fileColumns,
  fileHead,
  type FileMeta,
} from '@drawhouse/contract/core/list-file';
import { formatSheetTime } from '../../../lib/format/format.ts';
import type { Level } from '../../../commonTexts.ts';
import { accountListTexts } from '../accountsTexts.ts';
import { saveFile } from '../../../lib/server/useExport.ts';

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

interface SheetColumn {
  header: string;
  width: number;
  kind: ColumnKind;
}

async function exportXlsx(
  file: Pick<ListFile, 'name' | 'sheet'>,
  columns: readonly SheetColumn[],
  rows: readonly (readonly CellValue[])[],
  { lines, fileMeta }: { lines: readonly AboutLine[]; fileMeta: FileMeta },
): Promise<void> {
  const { writeXlsx } = await import('hucre/xlsx');
  const bytes = await writeXlsx({
    properties: aboutProperties(lines, fileMeta),
    sheets: [
      {
        name: file.sheet,
        columns: columns.map(({ width, kind }) => ({ width, ...numberFormatOf(kind) })),
        rows: [
          columns.map((column) => column.header),
          ...rows.map((row) => row.map((cell, index) => xlsxCell(cell, columns[index]!.kind))),
        ],
        freezePane: { rows: 1 },
      },
    ],
  });
  saveFile(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: XLSX_TYPE }), `${file.name}.xlsx`);
}
