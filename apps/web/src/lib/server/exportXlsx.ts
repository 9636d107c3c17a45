import { aboutProperties, type AboutLine, type FileMeta } from '@drawhouse/contract/core/list-file';
import { XLSX_TYPE, type CellValue, type ColumnKind, type ListFile } from '@drawhouse/contract/core/list';
import { numberFormatOf, xlsxCell } from '@drawhouse/contract/core/file-format';
import { saveFile } from './saveFile.ts';

export interface SheetColumn {
  header: string;
  width: number;
  kind: ColumnKind;
}

export async function exportXlsx(
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
