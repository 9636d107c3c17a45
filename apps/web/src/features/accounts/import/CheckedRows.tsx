import type { ImportField } from '@drawhouse/contract/accounts/bulk-accounts';
import { Text } from '@mantine/core';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { COLUMNS, type ReadCsv } from './accountCsv.ts';
import table from '../rowTable.module.css';
import classes from './import.module.css';
import { importTexts } from './importTexts.ts';

export interface RowProblem {
  readonly row: number;
  readonly field: string;
  readonly message: string;
}

interface CheckedRowsProps {
  csv: ReadCsv;
  problems: readonly RowProblem[];
}

export function CheckedRows({ csv, problems }: CheckedRowsProps) {
  const byRow = Map.groupBy(problems, ({ row }) => row);
  const rows = csv.rows.map((each, nth) => ({ ...each, wrong: byRow.get(nth) ?? [] }));
  const ordered = rows.toSorted((one, other) => Number(other.wrong.length > 0) - Number(one.wrong.length > 0));
  const count = `${rows.length} row${rows.length === 1 ? '' : 's'}`;
  return (
    <>
      <Text component="output" fw={600}>
        {byRow.size === 0
          ? importTexts.allRightNothingIs(count)
          : importTexts.wrongNothingWasCreated(byRow.size, count)}
      </Text>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <section className={`${table.scroll} ${classes.scroll}`} aria-label={importTexts.rows} tabIndex={0}>
        <table className={table.rows}>
          <thead>
            <tr>
              <th scope="col" data-amount>
                {importTexts.line}
              </th>
              <th scope="col">{importTexts.username}</th>
              <th scope="col" className={classes.details}>
                {importTexts.details}
              </th>
              <th scope="col">{importTexts.result}</th>
            </tr>
          </thead>
          <tbody>
            {ordered.map(({ line, row, wrong }) => (
              <tr key={line}>
                <td data-amount>{line}</td>
                <th scope="row">{row.username}</th>
                <td className={classes.details}>{detailsOf(row)}</td>
                <td>
                  {wrong.length === 0 ? (
                    <StatusBadge tone="good">{importTexts.right}</StatusBadge>
                  ) : (
                    wrong.map(({ field, message }) => (
                      <span key={field} className={table.problem}>
                        {`${COLUMNS[field as ImportField] ?? field}: ${message}`}
                      </span>
                    ))
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** Never shows the password. */
function detailsOf({ password, commission, note, reference, status }: ReadCsv['rows'][number]['row']): string {
  const parts = [
    reference && `below ${reference}`,
    commission && `${commission.replace(/\s*%$/, '')} %`,
    status,
    note,
    password ? 'own password' : 'generated password',
  ];
  return parts.filter(Boolean).join(', ');
}
