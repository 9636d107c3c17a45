import { deleteTime, type DrawTime } from '@drawhouse/contract/games/times';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { call } from '../../../lib/server/api.ts';
import { reload } from '../../../lib/server/queryClient.ts';
import { useConfirmCall } from '../../../lib/form/useConfirmCall.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { timeTexts } from '../gameTexts.ts';

export function TimeDialog({ target, onClose }: { target: DrawTime | null; onClose: () => void }) {
  const { shown, dialog } = useConfirmCall(target, {
    send: ({ _id: id }) => call(deleteTime, { params: { id } }, { fallback: timeTexts.deleteFailed }),
    onDone: ({ message }) => {
      notifications.show({ message });
      void reload(['games', 'times']);
    },
    onClose,
  });
  return (
    <ConfirmDialog {...dialog} title={timeTexts.deleteTitle} danger>
      {shown && timeTexts.deleteQuestion(shown.timecount)}
      {shown && <Text mt="xs">{shown.games.length > 0 ? timeTexts.deleteInUse : timeTexts.deleteUnused}</Text>}
    </ConfirmDialog>
  );
}
