import type { CellValue } from '@drawhouse/contract/list';
import { saveFile } from './saveFile.ts';

/** One column of a sheet: its heading, its width in characters, and whether it holds points. */
export interface SheetColumn {
  header: string;
  width: number;
  points?: boolean;
}

const MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Writes rows into an Excel file and hands it to the browser to save. The writer is loaded only when it is needed. */
export async function exportXlsx(
  fileName: string,
  sheetName: string,
  columns: readonly SheetColumn[],
  rows: readonly (readonly CellValue[])[],
): Promise<void> {
  const { writeXlsx } = await import('hucre/xlsx');
  const bytes = await writeXlsx({
    sheets: [
      {
        name: sheetName,
        columns: columns.map((column) => ({ width: column.width, ...(column.points && { numFmt: '#,##0.00' }) })),
        rows: [columns.map((column) => column.header), ...rows.map((row) => [...row])],
        freezePane: { rows: 1 },
      },
    ],
  });
  saveFile(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: MEDIA_TYPE }), fileName);
}
