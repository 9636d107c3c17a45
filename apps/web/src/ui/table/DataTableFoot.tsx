import { TOTAL } from '@drawhouse/contract/core/list';
import { ActionIcon } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { DataColumn } from './columns/dataColumn.ts';
import classes from './DataTable.module.css';
import { tableTexts } from '../listTexts.ts';

interface DataTableFootProps<Row> {
  columns: readonly DataColumn<Row>[];
  /** Hidden columns too: if no visible column has a sum, all sums stand side by side. */
  all: readonly DataColumn<Row>[];
  selectable: boolean;
  numbered: boolean;
  acting: boolean;
  /** Null if no column is hidden. */
  onOpen: (() => void) | null;
}

export function DataTableFoot<Row>({ columns, all, selectable, numbered, acting, onOpen }: DataTableFootProps<Row>) {
  const labelled = columns.find((column) => column.footer === undefined);
  const leading = (selectable ? 1 : 0) + (numbered ? 1 : 0);
  if (!columns.some((column) => column.footer !== undefined))
    return (
      <tfoot className={classes.foot}>
        <tr>
          <td colSpan={leading + columns.length + (acting ? 1 : 0)}>
            <dl className={classes.sums}>
              <dt>{TOTAL}</dt>
              {all
                .filter((column) => column.footer !== undefined)
                .map((column) => (
                  <dd key={column.id}>
                    <span>{column.header}</span> {column.footer}
                  </dd>
                ))}
            </dl>
          </td>
          {onOpen && <td>&nbsp;</td>}
        </tr>
      </tfoot>
    );
  return (
    <tfoot className={classes.foot}>
      <tr>
        {selectable && <td>&nbsp;</td>}
        {numbered && <td className={classes.number}>&nbsp;</td>}
        {columns.map((column) => (
          <td key={column.id} data-align={column.align}>
            {column === labelled ? TOTAL : column.footer}
          </td>
        ))}
        {acting && <td>&nbsp;</td>}
        {onOpen && (
          <td className={classes.more}>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={tableTexts.allTotals} onClick={onOpen}>
              <IconChevronRight size={18} aria-hidden />
            </ActionIcon>
          </td>
        )}
      </tr>
    </tfoot>
  );
}
