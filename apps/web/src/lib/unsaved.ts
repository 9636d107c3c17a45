import { useEffect } from 'react';

let held = 0;

/** Whether something on this page would be lost if it were loaded anew. */
export function hasUnsaved(): boolean {
  return held > 0;
}

/** While `when` is true, something on this page would be lost if it were loaded anew. */
export function useUnsaved(when: boolean): void {
  useEffect(() => {
    if (!when) return;
    held += 1;
    return () => {
      held -= 1;
    };
  }, [when]);
}
