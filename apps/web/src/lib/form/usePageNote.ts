import { notifications } from '@mantine/notifications';
import { useEffect, useId, useMemo, useRef } from 'react';

export interface PageNote {
  readonly show: (note: Parameters<typeof notifications.show>[0]) => void;
  readonly clear: () => void;
  readonly isLeft: () => boolean;
}

/**
 * Each message replaces the previous one. Leaving the page removes the last; a later one has the page's name as title.
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
        // With a new id, screen readers announce a repeated text again.
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
