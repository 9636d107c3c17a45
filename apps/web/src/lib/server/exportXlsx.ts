import { aboutProperties } from '@drawhouse/contract/core/list-file';
import type { AboutLine, FileMade } from '@drawhouse/contract/core/list-file';
import type { CellValue, ListFile } from '@drawhouse/contract/core/list';
import { XLSX_TYPE } from '@drawhouse/contract/core/list';
import { xlsxCell } from '@drawhouse/contract/core/file-format';
import { saveFile } from './saveFile.ts';

export interface SheetColumn {
  header: string;
  width: number;
  points?: boolean;
}

export async function exportXlsx(
  file: Pick<ListFile, 'name' | 'sheet'>,
  columns: readonly SheetColumn[],
  rows: readonly (readonly CellValue[])[],
  { lines, made }: { lines: readonly AboutLine[]; made: FileMade },
): Promise<void> {
  const { writeXlsx } = await import('hucre/xlsx');
  const bytes = await writeXlsx({
    properties: aboutProperties(lines, made),
    sheets: [
      {
        name: file.sheet,
        columns: columns.map((column) => ({ width: column.width, ...(column.points && { numFmt: '#,##0.00' }) })),
        rows: [columns.map((column) => column.header), ...rows.map((row) => row.map(xlsxCell))],
        freezePane: { rows: 1 },
      },
    ],
  });
  saveFile(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: XLSX_TYPE }), `${file.name}.xlsx`);
}
