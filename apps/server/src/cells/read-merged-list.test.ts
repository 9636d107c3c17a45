import { buffer } from 'node:stream/consumers';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import type { MissingCell } from '@drawhouse/contract/core/list';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { pendingCommissions } from '@drawhouse/contract/reports/commission';
import { expect, it } from 'vitest';
import { mergeKeysetPages, orderOf, type Row } from './merge-lists.ts';
import { mergedFile, mergedPage, type Query, type Source } from './read-merged-list.ts';

const PAGE = 500;
const CALLER = { id: crypto.randomUUID(), username: 'root', role: 'superadmin' } as never;
/** Of each cell. */
const ROWS = 2 * PAGE - 1;

it('breaks a file off when a cell fails after its first page', async () => {
  const missing: MissingCell[] = [];
  const rowsOf = (cell: string, from: number): object[] =>
    Array.from({ length: Math.min(PAGE, ROWS - from) }, (_, nth) => ({ username: `player-${from + nth} of ${cell}` }));
  const source = (cell: string, isHere: boolean): Source => ({
    cell,
    isHere,
    read: async ({ page = 1, pageSize }: Query) => {
      const size = pageSize as number;
      if (!isHere && (page as number) > 1) {
        if (missing.length === 0) missing.push({ cell, networks: ['anna'] });
        return null;
      }
      return { data: rowsOf(cell, ((page as number) - 1) * size).slice(0, size), total: ROWS };
    },
  });
  const file = await mergedFile(
    {
      list: accountLists.admin,
      query: {},
      caller: CALLER,
      sources: [source('cell-1', true), source('cell-2', false)],
      missing,
    },
    { format: 'csv', at: new Date(), timeZone: 'UTC', description: null },
  );
  await expect(buffer(file!.stream)).rejects.toThrow('cell-2 failed while a file was written');
});

it('shows the oldest state of the cells that were read', async () => {
  const [older, newer] = ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'] as const;
  const source = (cell: string, asOf: string | undefined): Source => ({
    cell,
    isHere: asOf === newer,
    read: () => Promise.resolve({ data: [], total: 0, ...(asOf && { freshness: { asOf, from: 'standby' } }) }),
  });
  const page = await mergedPage({
    list: accountLists.admin,
    query: {},
    caller: CALLER,
    sources: [source('cell-1', newer), source('cell-2', older), source('cell-3', undefined)],
    missing: [],
  });
  expect(page).toMatchObject({ freshness: { asOf: older } });
});

it('orders roles as their levels', () => {
  const compare = orderOf(pendingCommissions, 'role');
  const rows: Row[] = ROLES.map((role) => ({ role }));
  expect(rows.toReversed().toSorted(compare)).toEqual(rows);
});

it('orders empty values lowest', () => {
  const compare = orderOf(accountLists.user, 'lastLogin');
  const rows: Row[] = [null, '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'].map((lastLogin) => ({
    lastLogin,
  }));
  expect(rows.toReversed().toSorted(compare)).toEqual(rows);
});

it('ends a page where one cell has searched no further', () => {
  const searching = { total: 1, data: ['newest'], cursors: ['9_a'], older: '8_x' };
  const done = { total: 1, data: ['oldest'], cursors: ['7_b'], older: null };
  const page = mergeKeysetPages({ rowsKey: 'data', countUpTo: undefined }, [done, searching], {
    isNewestFirst: true,
    limit: 3,
  });
  expect(page).toMatchObject({ rows: ['newest'], older: '8_x' });
});
