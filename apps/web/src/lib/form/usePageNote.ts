import { notifications } from '@mantine/notifications';
import { useEffect, useId, useMemo, useRef } from 'react';

export interface PageNote {
  readonly show: (note: Parameters<typeof notifications.show>[0]) => void;
  readonly clear: () => void;
}

/** Each message replaces the previous one. Leaving the page removes the last. */
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
        // A repeated text needs a new id, so screen readers announce it again.
        count.current += 1;
        notifications.show({ ...shown, id: idOfLast() });
      },
    };
  }, [id]);
  useEffect(() => note.clear, [note]);
  return note;
}
