import { activityLog } from '@drawhouse/contract/activity';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useList } from '../../lib/useList.ts';
import { messages } from '../../messages.ts';
import { ListPage } from '../../ui/ListPage.tsx';

const texts = messages.activity;
const NOTHING_YET = { title: 'Nothing happened here', text: 'Every change and every sign-in is written down here.' };

/** What the signed-in account and everyone below it did, newest first unless sorted otherwise. */
export function ActivityPage() {
  const view = useList(activityLog, { name: 'logactivities', queryKey: [queryKeys.activity] });
  return (
    <ListPage
      view={view}
      title={texts.title}
      rowsName="entries"
      rowKey={(row) => row._id}
      rowLabel={(row) => row.subject}
      numbered
      summary={texts.footer}
      empty={NOTHING_YET}
    />
  );
}
