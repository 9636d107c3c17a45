import { deleteSchedule, scheduleList, type Schedule } from '@drawhouse/contract/games/schedules';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCalendarOff, IconClock, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../../../lib/server/api.ts';
import { reload } from '../../../lib/server/queryClient.ts';
import { pagePath } from '../../../lib/paths.ts';
import { useConfirmCall } from '../../../lib/form/useConfirmCall.ts';
import { useList } from '../../../lib/list/useList.ts';
import { useUser } from '../../../lib/session/session.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { ShortList } from '../../../ui/mark/StackedText.tsx';
import { AddLink, HeadLink } from '../../../ui/page/PageHeader.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { scheduleTexts as texts, timeTexts } from '../gameTexts.ts';

const SHOWN_TIMES = 4;

const CELLS: Cells<Schedule> = {
  times: ({ times }) => (times.length <= SHOWN_TIMES ? times.join(', ') : <ShortList names={times} />),
  games: ({ games }) => <ShortList names={games.map(({ gameName }) => gameName)} />,
};

export function ScheduleListPage() {
  const { role } = useUser();
  const view = useList(scheduleList, { name: 'schedules', queryKey: ['games', 'schedules'] });
  const [target, setTarget] = useState<Schedule | null>(null);
  const base = pagePath(role, 'timemaster/schedules');
  const add = { label: texts.add, href: `${base}/create` };
  return (
    <>
      <ListPage
        view={view}
        title={texts.title}
        route={deleteSchedule}
        rowsName="schedules"
        rowKey={({ _id }) => _id}
        rowLabel={({ name }) => name}
        rowHref={({ _id }) => `${base}/edit/${_id}`}
        cells={CELLS}
        actions={(schedule) => [
          { id: 'edit', label: texts.edit, icon: IconPencil, href: `${base}/edit/${schedule._id}`, prominent: true },
          {
            id: 'delete',
            label: texts.deleteLabel,
            icon: IconTrash,
            onClick: () => setTarget(schedule),
            prominent: true,
            danger: true,
          },
        ]}
        back={
          <>
            <HeadLink name={timeTexts.title} icon={IconClock} href={pagePath(role, 'timemaster')} />
            <HeadLink name={texts.closedDays} icon={IconCalendarOff} href={pagePath(role, 'closures')} />
          </>
        }
        action={<AddLink {...add} />}
        empty={{ title: texts.emptyTitle, text: texts.emptyText, action: <AddLink {...add} again /> }}
      />
      <DeleteDialog target={target} onClose={() => setTarget(null)} />
    </>
  );
}

function DeleteDialog({ target, onClose }: { target: Schedule | null; onClose: () => void }) {
  const { shown, dialog } = useConfirmCall(target, {
    send: ({ _id: id }) => call(deleteSchedule, { params: { id } }, { fallback: texts.deleteFailed }),
    onDone: ({ message }) => {
      notifications.show({ message });
      void reload(['games', 'schedules']);
    },
    onClose,
  });
  return (
    <ConfirmDialog {...dialog} title={texts.deleteTitle} danger>
      {shown && texts.deleteQuestion(shown.name)}
      {shown && <Text mt="xs">{shown.games.length > 0 ? texts.deleteInUse : texts.deleteUnused}</Text>}
    </ConfirmDialog>
  );
}
