import { notifications } from '@mantine/notifications';
import { useEffect, useId, useMemo, useRef } from 'react';

export interface PageNote {
  readonly show: (note: Parameters<typeof notifications.show>[0]) => void;
  readonly clear: () => void;
  /** True once the user has left the page. */
  readonly isLeft: () => boolean;
}

/**
 * Each message replaces the previous one. Leaving the page removes the last; one that arrives later, on another page,
 * is titled with the page's name.
 */
export function usePageNote(name: string): PageNote {
  const id = useId();
  const count = useRef(0);
  const left = useRef(false);
  const note = useMemo<PageNote>(() => {
    const idOfLast = () => `${id}-${count.current}`;
    const clear = () => void notifications.hide(idOfLast());
    return {
      clear,
      isLeft: () => left.current,
      show: (shown) => {
        clear();
        // A repeated text needs a new id, so screen readers announce it again.
        count.current += 1;
        notifications.show({ ...(left.current && { title: name }), ...shown, id: idOfLast() });
      },
    };
  }, [id, name]);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
      note.clear();
    };
  }, [note]);
  return note;
}
