import { useEffect } from 'react';
import type { Dispatch, SetStateAction } from 'react';

/** Where what is typed arrives by itself. */
const SEARCH = '[role="dialog"] [role="combobox"]';

/**
 * Takes what is typed between asking for the palette and its search having the focus: its part of the app may still be on its
 * way. Escape gives it up.
 */
export function useEarlyKeys(asked: boolean, setQuery: Dispatch<SetStateAction<string>>, close: () => void) {
  useEffect(() => {
    if (!asked) return undefined;
    function press(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (document.activeElement?.matches(SEARCH)) return;
      const isCharacter = [...event.key].length === 1;
      if (isCharacter) setQuery((query) => query + event.key);
      else if (event.key === 'Backspace') setQuery((query) => query.slice(0, -1));
      else if (event.key === 'Escape') close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, [asked, setQuery, close]);
}
