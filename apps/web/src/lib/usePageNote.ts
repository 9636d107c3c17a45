import { notifications } from '@mantine/notifications';
import { useEffect, useId, useMemo, useRef } from 'react';

/** What a page says about what it shows, one message at a time. */
export interface PageNote {
  readonly show: (note: Parameters<typeof notifications.show>[0]) => void;
  readonly clear: () => void;
}

/** Messages about what a page shows: each takes the place of the one before, and the last goes when the page is left. */
export function usePageNote(): PageNote {
  const id = useId();
  const count = useRef(0);
  const note = useMemo<PageNote>(() => {
    const idOfLast = () => `${id}-${count.current}`;
    const clear = () => void notifications.hide(idOfLast());
    return {
      clear,
      show: (shown) => {
        clear();
        // A message with the words of the one before is a message of its own: screen readers say it again.
        count.current += 1;
        notifications.show({ ...shown, id: idOfLast() });
      },
    };
  }, [id]);
  useEffect(() => note.clear, [note]);
  return note;
}
