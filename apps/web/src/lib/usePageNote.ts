import { notifications } from '@mantine/notifications';
import { useEffect, useId, useMemo } from 'react';

/** What a page says about what it shows, one message at a time. */
export interface PageNote {
  readonly show: (note: Parameters<typeof notifications.show>[0]) => void;
  readonly clear: () => void;
}

/** Messages about what a page shows: each takes the place of the one before, and the last goes when the page is left. */
export function usePageNote(): PageNote {
  const id = useId();
  const note = useMemo<PageNote>(() => {
    const clear = () => void notifications.hide(id);
    return {
      clear,
      show: (shown) => {
        clear();
        notifications.show({ ...shown, id });
      },
    };
  }, [id]);
  useEffect(() => note.clear, [note]);
  return note;
}
