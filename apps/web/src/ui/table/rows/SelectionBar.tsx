import { BULK_MAX } from '@drawhouse/contract/core/primitives';
import { Button, CloseButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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
  const count = selection.keys.size;
  return (
    <section className={classes.bar} data-selection aria-label={tableTexts.selectedRows}>
      <div className={classes.count}>
        <output>{tableTexts.selected(formatCount(count))}</output>
        <SelectAll view={view} selection={selection} />
      </div>
      <div className={classes.actions}>{children}</div>
      <CloseButton aria-label={tableTexts.clearSelection} title={tableTexts.clearSelection} onClick={selection.clear} />
    </section>
  );
}

/** Offers the rows of other pages once this page is selected, up to the most that one action takes. */
function SelectAll<Row>({ view, selection }: Omit<SelectionBarProps<Row>, 'children'>) {
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: async () => {
      const { signal } = new AbortController();
      return readAllPages<Row>(view.list, view.state, { most: BULK_MAX, signal }, view.readPage);
    },
    onSuccess: (rows) => selection.select(rows, true),
    onError: (error) => notifications.show({ color: 'red', message: failureNote(errorMessage(error)) }),
  });
  const count = selection.keys.size;
  const most = Math.min(view.total, BULK_MAX);
  const here = view.rows?.filter(selection.isSelectable).length ?? 0;
  if (isSuccess || count < here || count >= most) return null;
  const label = most < view.total ? tableTexts.selectFirst : tableTexts.selectAll;
  return (
    <Button size="xs" variant="subtle" px={8} loading={isPending} onClick={() => mutate()}>
      {label(formatCount(most))}
    </Button>
  );
}
