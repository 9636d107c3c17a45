import { activityLog, logEntry, type Activity } from '@drawhouse/contract/activity/activity';
import { useMemo } from 'react';
import { pagingLinks } from '../../lib/list/listUrl.ts';
import { useList, type ListView } from '../../lib/list/useList.ts';
import { useUser } from '../../lib/session/session.ts';
import { commonTexts } from '../../commonTexts.ts';
import { ChoiceButton } from '../../ui/form/Choices.tsx';
import { AccountPicker } from '../../ui/filter/AccountPicker.tsx';
import type { DataColumn } from '../../ui/table/columns/dataColumn.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { EmptyState, ErrorState } from '../../ui/page/PageStates.tsx';
import { ClearedNote } from '../../ui/page/Notes.tsx';
import { ListPage } from '../../ui/page/ListPage.tsx';
import type { Cells } from '../../ui/table/columns/listColumns.tsx';
import { ObjectLink } from '../../ui/mark/ObjectLink.tsx';
import { NameBelow, TwoLines } from '../../ui/mark/StackedText.tsx';
import { ChangeTable } from '../../ui/table/ChangeTable.tsx';
import { Button, Group, Text, Skeleton } from '@mantine/core';
import { formatDateTime } from '../../lib/format/format.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '../../lib/navigation.ts';
import { callQuery, errorMessage } from '../../lib/server/api.ts';
import { activityTexts } from './activityTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

const texts = commonTexts.activity;
const SHOWN = 'shown';
const NOTHING_YET = { title: activityTexts.noActivityYet, text: activityTexts.everyChangeAndEvery };
const NOTHING_SO_FAR = <EmptyState title={activityTexts.noMatchesSoFar} text={activityTexts.searchHasNotCovered} />;

const PHONE: readonly DataColumn<Activity>[] = [
  {
    id: 'done',
    header: texts.phone.done,
    phoneOnly: true,
    cell: (row) => (
      <NameBelow name={row.username}>
        <ObjectLink about={row.about}>{row.subject}</ObjectLink>
      </NameBelow>
    ),
  },
  {
    id: 'when',
    header: texts.phone.when,
    phoneOnly: true,
    align: 'right',
    cell: (row) => <DateTime value={row.createdAt} relative />,
  },
];

const CELLS: Cells<Activity> = {
  username: (row) => <TwoLines text={row.username} />,
  subject: (row) => <TwoLines text={row.subject} />,
  createdAt: (row) => <DateTime value={row.createdAt} seconds />,
};

const listFor = (isOperator: boolean) =>
  ({
    ...activityLog,
    filters: activityLog.filters.flatMap((filter) => {
      if (filter.kind === 'id' || filter.name === 'signIns') return [];
      const { openings: _, ...others } = filter.options ?? {};
      return [isOperator || !filter.options ? filter : { ...filter, options: others }];
    }),
  }) as typeof activityLog;
const LISTS = { operator: listFor(true), other: listFor(false) };

const changesOf = ({ _id }: Activity) => <EntryChanges id={_id} />;

export function ActivityPage() {
  const { role } = useUser();
  const { signIns, action } = useSearch();
  const showsSignIns = signIns === SHOWN || action === 'session';
  const view = useList(role === 'superadmin' || role === 'admin' ? LISTS.operator : LISTS.other, {
    name: 'logactivities',
    queryKey: ['activity', 'list'],
    keptParams: ['accountId', 'signIns'],
    fixedParams: { signIns: showsSignIns ? undefined : 'hidden' },
  });
  const person = usePerson(view);
  const cutAt = view.answer?.searchedTo ?? null;
  const { descending, next } = pagingLinks(view.list, view.state, { ...view, rows: view.rows?.length ?? 0 });
  return (
    <ListPage
      view={view}
      title={texts.title}
      rowsName="entries"
      rowKey={(row) => row._id}
      rowLabel={(row) => row.subject}
      cells={CELLS}
      phone={PHONE}
      details={changesOf}
      numbered
      controls={
        <>
          <AccountPicker
            label={texts.person}
            key={person?.username}
            user={person}
            onChange={(accountId) => view.change({ accountId })}
          />
          <ChoiceButton
            chosen={showsSignIns}
            disabled={action === 'session'}
            onClick={() => view.change({ signIns: showsSignIns ? undefined : SHOWN })}
          >
            {texts.signIns}
          </ChoiceButton>
        </>
      }
      summary={texts.footer}
      empty={NOTHING_YET}
      instead={cutAt !== null && NOTHING_SO_FAR}
    >
      <ClearedNote text={view.answer?.cleared} />
      {cutAt !== null && <SearchCut to={cutAt} descending={descending} onGoOn={() => next && view.change(next)} />}
    </ListPage>
  );
}

function usePerson({ state, rows }: ListView<Activity>): { _id: string; username: string } | null {
  const id = state['accountId'];
  const username = rows?.find((row) => row.accountId === id)?.username ?? texts.thisPerson;
  return useMemo(() => (id === undefined ? null : { _id: id, username }), [id, username]);
}

function SearchCut({ to, descending, onGoOn }: { to: string; descending: boolean; onGoOn: () => void }) {
  return (
    <Group gap="sm" py={6}>
      <Text component="output" size="sm">
        {richText(activityTexts.searchedFor2Seconds, {
          direction: descending ? 'back' : 'forward',
          to: formatDateTime(to),
        })}
      </Text>
      <Button size="xs" variant="default" onClick={onGoOn}>
        {activityTexts.continueSearching}
      </Button>
    </Group>
  );
}

function EntryChanges({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    ...callQuery(['activity', 'entry', id], logEntry, { params: { id } }),
    // Log entries never change.
    staleTime: Infinity,
  });
  if (error && !data) return <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={72} my="md" aria-label={activityTexts.changes} />;
  const { changes } = data.data;
  if (changes.length === 0)
    return (
      <Text c="dimmed" my="md">
        {activityTexts.nothingElseWasChanged}
      </Text>
    );
  return <ChangeTable changes={changes} />;
}
