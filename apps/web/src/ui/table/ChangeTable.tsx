import type { Change } from '@drawhouse/contract/activity/activity';
import { Table } from '@mantine/core';
import classes from './ChangeTable.module.css';
import { tableTexts } from '../listTexts.ts';

const NONE = '–';

export function ChangeTable({ changes }: { changes: readonly Change[] }) {
  const isOfSome = changes.some(({ of }) => of !== undefined);
  return (
    <div className={classes.scroll}>
      <Table className={classes.changes} aria-label={tableTexts.changes}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{tableTexts.what}</Table.Th>
            {isOfSome && <Table.Th scope="col">{tableTexts.of}</Table.Th>}
            <Table.Th scope="col">{tableTexts.before}</Table.Th>
            <Table.Th scope="col">{tableTexts.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ what, of, before, after }) => (
            <Table.Tr key={`${what} ${of ?? ''}`}>
              <Table.Th scope="row">{what}</Table.Th>
              {isOfSome && <Table.Td>{of}</Table.Td>}
              <Table.Td c={before === null ? 'dimmed' : undefined}>{before ?? NONE}</Table.Td>
              <Table.Td c={after === null ? 'dimmed' : undefined}>{after ?? NONE}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
