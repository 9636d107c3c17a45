import { useEffect } from 'react';

let unsavedForms = 0;

export function hasUnsaved(): boolean {
  return unsavedForms > 0;
}

export function useUnsaved(when: boolean): void {
  useEffect(() => {
    if (!when) return;
    unsavedForms += 1;
    return () => {
      unsavedForms -= 1;
    };
  }, [when]);
}
