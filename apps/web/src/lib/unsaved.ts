import { useEffect } from 'react';

let unsavedForms = 0;

/** Whether something on this page would be lost if it were loaded anew. */
export function hasUnsaved(): boolean {
  return unsavedForms > 0;
}

/** While `when` is true, something on this page would be lost if it were loaded anew. */
export function useUnsaved(when: boolean): void {
  useEffect(() => {
    if (!when) return;
    unsavedForms += 1;
    return () => {
      unsavedForms -= 1;
    };
  }, [when]);
}
