import { deleteTime, timeList, type DrawTime } from '@drawhouse/contract/games/times';
import { IconCalendarTime, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { prefetched } from '../../../lib/lazyParts.ts';
import { pagePath } from '../../../lib/paths.ts';
import { useList } from '../../../lib/list/useList.ts';
import { useUser } from '../../../lib/session/session.ts';
import { ShortList } from '../../../ui/mark/StackedText.tsx';
import { AddLink, HeadLink } from '../../../ui/page/PageHeader.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { scheduleTexts, timeTexts } from '../gameTexts.ts';

const useDialog = prefetched(() => import('./TimePages.tsx'));

const CELLS: Cells<DrawTime> = {
  games: ({ games }) => <ShortList names={games.map(({ gameName }) => gameName)} />,
};

export function TimeListPage() {
  const { role } = useUser();
  const view = useList(timeList, { name: 'timemaster', queryKey: ['games', 'times'] });
  const [target, setTarget] = useState<DrawTime | null>(null);
  const dialog = useDialog(target !== null);
  const base = pagePath(role, 'timemaster');
  const add = { label: timeTexts.add, href: `${base}/create` };
  return (
    <>
      <ListPage
        view={view}
        title={timeTexts.title}
        route={deleteTime}
        rowsName="times"
        rowKey={({ _id }) => _id}
        rowLabel={({ timecount }) => `${timecount} s`}
        rowHref={({ _id }) => `${base}/edit/${_id}`}
        cells={CELLS}
        actions={(time) => [
          { id: 'edit', label: timeTexts.edit, icon: IconPencil, href: `${base}/edit/${time._id}`, prominent: true },
          {
            id: 'delete',
            label: timeTexts.deleteLabel,
            icon: IconTrash,
            onClick: () => setTarget(time),
            prominent: true,
            danger: true,
          },
        ]}
        back={<HeadLink name={scheduleTexts.title} icon={IconCalendarTime} href={`${base}/schedules`} />}
        action={<AddLink {...add} />}
        empty={{ title: timeTexts.emptyTitle, text: timeTexts.emptyText, action: <AddLink {...add} again /> }}
      />
      {dialog && <dialog.TimeDialog target={target} onClose={() => setTarget(null)} />}
    </>
  );
}
