import { activityLog } from '@drawhouse/contract/activity';
import type { Activity } from '@drawhouse/contract/activity';
import type { Role } from '@drawhouse/contract/primitives';
import { stepsOf } from '../../lib/listSteps.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useList } from '../../lib/useList.ts';
import { useUser } from '../../lib/useSession.ts';
import { messages } from '../../messages.ts';
import { ChoiceButton } from '../../ui/ChoiceButton.tsx';
import type { DataColumn } from '../../ui/dataColumn.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { NameBelow } from '../../ui/NameBelow.tsx';
import { EntryChanges } from './EntryChanges.tsx';
import { SearchCut } from './SearchCut.tsx';

const texts = messages.activity;
const NOTHING_YET = { title: 'Nothing happened here', text: 'Every change and every sign-in is written down here.' };
const NOTHING_SO_FAR = (
  <EmptyState title="Nothing found so far" text="The log goes on. What you look for may stand further on." />
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

/** Whether somebody operates games: to them the log tells of the draws that opened too. */
const isOperator = (role: Role): boolean => role === 'superadmin' || role === 'admin';

/** What the signed-in account and everyone below it did, newest first unless sorted otherwise; a row opens what it changed. */
export function ActivityPage() {
  const { role } = useUser();
  const view = useList(activityLog, {
    name: 'logactivities',
    queryKey: [queryKeys.activity, 'list'],
    kept: ['kind'],
  });
  const ofOpenings = view.state['kind'] === 'openings';
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
      controls={
        isOperator(role) && (
          <>
            <ChoiceButton chosen={!ofOpenings} onClick={() => view.change({ kind: undefined })}>
              {texts.done}
            </ChoiceButton>
            <ChoiceButton chosen={ofOpenings} onClick={() => view.change({ kind: 'openings' })}>
              {texts.openings}
            </ChoiceButton>
          </>
        )
      }
      instead={cutAt !== null && NOTHING_SO_FAR}
    >
      {cutAt !== null && <SearchCut to={cutAt} descending={descending} onGoOn={() => next && view.change(next)} />}
    </ListPage>
  );
}
