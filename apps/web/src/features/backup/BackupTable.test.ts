import { expect, test, vi } from 'vitest';
import { fitColumns } from '../../ui/table/columns/tableLayout.ts';
import { BACKUP_COLUMNS } from './BackupTable.tsx';

vi.mock('../../ui/table/DataTable.tsx', () => ({ DataTable: () => null }));

test('shows beside the state when a backup was checked and tried', () => {
  const shown = fitColumns(BACKUP_COLUMNS, 820, 44).map(({ id }) => id);
  expect(shown).toEqual(expect.arrayContaining(['name', 'state', 'drilledAt']));
});
