import { useEffect, useState } from 'react';

/**
 * False on the first render whatever is asked for, so that a dialog that is loaded when it is first opened still sees
 * itself open: only then does it know where the focus was, and return it.
 */
export function useOpenedAfterMount(opened: boolean): boolean {
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return mounted && opened;
}
