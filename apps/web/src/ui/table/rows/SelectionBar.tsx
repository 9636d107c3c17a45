import { BULK_MAX } from '@drawhouse/contract/core/primitives';
import { Button, CloseButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { formatCount } from '../../../lib/format/format.ts';
import { readAllPages } from '../../../lib/list/readAllPages.ts';
import type { ListView } from '../../../lib/list/useList.ts';
import { failureNote } from '../../../lib/RequestId.tsx';
import { errorMessage } from '../../../lib/server/api.ts';
import { tableTexts } from '../../listTexts.ts';
import classes from './SelectionBar.module.css';
import type { RowSelection } from './useSelection.ts';

interface SelectionBarProps<Row> {
  view: ListView<Row>;
  selection: RowSelection<Row>;
  children: ReactNode;
}

export function SelectionBar<Row>({ view, selection, children }: SelectionBarProps<Row>) {
  const all = useSelectAll(view, selection);
  return (
    <section className={classes.bar} data-selection aria-label={tableTexts.selectedRows}>
      <div className={classes.count}>
        <output>{tableTexts.selected(formatCount(selection.keys.size))}</output>
        {all.label !== null && (
          <Button size="xs" variant="subtle" px={8} loading={all.isReading} onClick={all.read}>
            {all.label}
          </Button>
        )}
      </div>
      <div className={classes.actions}>{children}</div>
      <CloseButton
        aria-label={tableTexts.clearSelection}
        title={tableTexts.clearSelection}
        onClick={() => {
          all.stop();
          selection.clear();
        }}
      />
    </section>
  );
}

/**
 * Offers the rows of other pages once this page is selected, up to the most that one action takes.
 * A read ends with its list: rows that arrive late never join another selection.
 */
function useSelectAll<Row>(view: ListView<Row>, selection: RowSelection<Row>) {
  const reading = useRef<AbortController | null>(null);
  const { identity, total } = view;
  const { mutate, isPending, data } = useMutation({
    mutationFn: async () => {
      const { signal } = (reading.current = new AbortController());
      const { isSelectable: isWanted } = selection;
      const rows = await readAllPages<Row>(
        view.list,
        view.state,
        { most: BULK_MAX, signal, isWanted },
        view.readPage,
      ).catch((error: unknown) => {
        if (signal.aborted) return null;
        throw error;
      });
      if (rows === null || signal.aborted) return null;
      selection.replace(rows, identity);
      return { total, count: rows.length };
    },
    onError: (error) => notifications.show({ color: 'red', message: failureNote(errorMessage(error)) }),
  });
  // The bar unmounts with its selection, also if the list changes.
  useEffect(() => () => reading.current?.abort(), []);
  const count = selection.keys.size;
  const isRead = data?.total === total && count >= data.count;
  const here = view.rows?.filter(selection.isSelectable).length ?? 0;
  const isOffered = !isRead && count >= here && count < Math.min(total, BULK_MAX);
  const label = total > BULK_MAX ? tableTexts.selectFirst(formatCount(BULK_MAX)) : tableTexts.selectAllPages;
  return {
    label: isOffered ? label : null,
    read: () => mutate(),
    isReading: isPending,
    stop: () => reading.current?.abort(),
  };
}
