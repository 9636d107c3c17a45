import { activityLog } from '@drawhouse/contract/activity';
import type { Activity } from '@drawhouse/contract/activity';
import { stepsOf } from '../../lib/listSteps.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useList } from '../../lib/useList.ts';
import { messages } from '../../messages.ts';
import type { DataColumn } from '../../ui/dataColumn.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { NameBelow } from '../../ui/NameBelow.tsx';
import { EntryChanges } from './EntryChanges.tsx';
import { SearchCut } from './SearchCut.tsx';

const texts = messages.activity;
const NOTHING_YET = { title: 'Nothing happened here', text: 'Every change and every sign-in is recorded here.' };
const NOTHING_SO_FAR = (
  <EmptyState
    title="Nothing found so far"
    text="There is more of the log: what you are looking for may be further on."
  />
);

/** On a phone a row says all of what was done, by whom and how long ago. */
const PHONE: readonly DataColumn<Activity>[] = [
  {
    id: 'done',
    header: texts.phone.done,
    phoneOnly: true,
    cell: (row) => <NameBelow name={row.username}>{row.subject}</NameBelow>,
  },
  {
    id: 'when',
    header: texts.phone.when,
    phoneOnly: true,
    align: 'right',
    cell: (row) => <DateTime value={row.createdAt} relative />,
  },
];

const changesOf = ({ _id }: Activity) => <EntryChanges id={_id} />;

/** What the signed-in account and everyone below it did, newest first unless sorted otherwise; a row opens what it changed. */
export function ActivityPage() {
  const view = useList(activityLog, { name: 'logactivities', queryKey: [queryKeys.activity, 'list'] });
  const cutAt = view.answer?.searchedTo ?? null;
  const { descending, next } = stepsOf(view.list, view.state, { ...view, rows: view.rows?.length ?? 0 });
  return (
    <ListPage
      view={view}
      title={texts.title}
      rowsName="entries"
      rowKey={(row) => row._id}
      rowLabel={(row) => row.subject}
      phone={PHONE}
      details={changesOf}
      numbered
      summary={texts.footer}
      empty={NOTHING_YET}
      instead={cutAt !== null && NOTHING_SO_FAR}
    >
      {cutAt !== null && <SearchCut to={cutAt} descending={descending} onGoOn={() => next && view.change(next)} />}
    </ListPage>
  );
}
