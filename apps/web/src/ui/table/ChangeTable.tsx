import type { Change } from '@drawhouse/contract/activity/activity';
import { Table } from '@mantine/core';
import classes from './ChangeTable.module.css';
import { tableTexts } from '../listTexts.ts';

const NONE = '–';

export function ChangeTable({ changes }: { changes: readonly Change[] }) {
  return (
    <div className={classes.scroll}>
      <Table className={classes.changes} aria-label={tableTexts.changes}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{tableTexts.what}</Table.Th>
            <Table.Th scope="col">{tableTexts.before}</Table.Th>
            <Table.Th scope="col">{tableTexts.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ what, of, before, after }) => (
            <Table.Tr key={`${what} ${of ?? ''}`}>
              <Table.Th scope="row">
                {what}
                {of !== undefined && <div className={classes.of}>{of}</div>}
              </Table.Th>
              <Value text={before} />
              <Value text={after} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** Breaks only words that no phone can show whole. */
function Value({ text }: { text: string | null }) {
  return (
    <Table.Td c={text === null ? 'dimmed' : undefined} data-breaks={/\S{20}/.test(text ?? '') || undefined}>
      {text ?? NONE}
    </Table.Td>
  );
}
