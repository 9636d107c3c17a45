import { deleteTime } from '@drawhouse/contract/times';
import type { DrawTime } from '@drawhouse/contract/times';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, errorMessage } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useOneAtATime } from '../../lib/useOneAtATime.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { timeTexts } from './timeTexts.ts';

/** Asks before a time is deleted, then reloads the list. */
export function TimeDialog({ asked, onClose }: { asked: DrawTime | null; onClose: () => void }) {
  const queries = useQueryClient();
  // The last question stays on the dialog while it fades out.
  const [shown, setShown] = useState<DrawTime | null>(null);
  if (asked && asked !== shown) setShown(asked);
  const act = useMutation({
    mutationFn: ({ _id: id }: DrawTime) => call(deleteTime, { params: { id } }, { fallback: timeTexts.deleteFailed }),
    onSuccess: ({ message }) => {
      notifications.show({ message });
      close();
      return queries.invalidateQueries({ queryKey: [queryKeys.games, 'times'] });
    },
  });
  const send = useOneAtATime(act);

  function close() {
    act.reset();
    onClose();
  }

  return (
    <ConfirmDialog
      opened={asked !== null}
      title={timeTexts.deleteTitle}
      confirmLabel={timeTexts.deleteLabel}
      danger
      busy={act.isPending}
      error={act.error && errorMessage(act.error)}
      onConfirm={() => asked && send(asked)}
      onClose={close}
    >
      {shown && timeTexts.deleteQuestion(shown.timecount)}
      {shown && <Text mt="xs">{shown.games.length > 0 ? timeTexts.deleteInUse : timeTexts.deleteUnused}</Text>}
    </ConfirmDialog>
  );
}
