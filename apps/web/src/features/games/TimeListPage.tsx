import { timeList } from '@drawhouse/contract/games/times';
import type { DrawTime } from '@drawhouse/contract/games/times';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { partOf } from '../../lib/part.ts';
import { pagePath } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useList } from '../../lib/useList.ts';
import { useUser } from '../../lib/useSession.ts';
import { AddLink } from '../../ui/AddLink.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import type { Cells } from '../../ui/listColumns.tsx';
import { timeTexts } from './timeTexts.ts';

const useDialog = partOf(() => import('./TimeDialog.tsx'));

const CELLS: Cells<DrawTime> = {
  games: ({ games: [first, ...more] }) => {
    if (!first) return '–';
    return more.length < 2
      ? [first, ...more].map(({ gameName }) => gameName).join(', ')
      : `${first.gameName} and ${more.length} more`;
  },
};

export function TimeListPage() {
  const { role } = useUser();
  const view = useList(timeList, { name: 'timemaster', queryKey: [queryKeys.games, 'times'] });
  const [asked, setAsked] = useState<DrawTime | null>(null);
  const dialog = useDialog(asked !== null);
  const base = pagePath(role, 'timemaster');
  const add = { label: timeTexts.add, href: `${base}/create` };
  return (
    <>
      <ListPage
        view={view}
        title={timeTexts.title}
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
            onClick: () => setAsked(time),
            prominent: true,
            danger: true,
          },
        ]}
        action={<AddLink {...add} />}
        empty={{ title: timeTexts.emptyTitle, text: timeTexts.emptyText, action: <AddLink {...add} again /> }}
      />
      {dialog && <dialog.TimeDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
