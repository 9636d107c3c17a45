import { lazy, Suspense, useCallback, useState, useEffect } from 'react';
import { fetchWithFirstUse } from '../lib/part.ts';
import { useKeys } from './useKeys.ts';
import type { Dispatch, SetStateAction } from 'react';

const loadPalette = () => import('./CommandPalette.tsx');
fetchWithFirstUse(loadPalette);
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }));
const KeyHelp = lazy(async () => ({ default: (await import('./KeyHelp.tsx')).KeyHelp }));

/** Which of the two is open; each is shown when it is first asked for. */
type Open = 'palette' | 'help' | null;

/** What the shell needs of the palette: how to open it, and where it and the help are shown. */
export interface Commands {
  open: Open;
  setOpen: (open: Open) => void;
}

/** The state of the palette and the help, and the keys that open them. */
export function useCommands(main: { readonly current: HTMLElement | null }): Commands {
  const [open, setOpen] = useState<Open>(null);
  const openPalette = useCallback(() => setOpen('palette'), []);
  const openHelp = useCallback(() => setOpen('help'), []);
  useKeys({ main, openPalette, openHelp });
  return { open, setOpen };
}

/** The palette and the help of the keys. */
export function CommandDialogs({ open, setOpen }: Commands) {
  const [asked, setAsked] = useState<ReadonlySet<Open>>(new Set());
  if (open !== null && !asked.has(open)) setAsked(new Set([...asked, open]));
  const [query, setQuery] = useState('');
  const close = useCallback(() => {
    setOpen(null);
    setQuery('');
  }, [setOpen]);
  useEarlyKeys(open === 'palette', setQuery, close);
  const help = useCallback(() => setOpen('help'), [setOpen]);
  return (
    <Suspense>
      {asked.has('palette') && (
        <CommandPalette opened={open === 'palette'} query={query} onQuery={setQuery} onClose={close} onHelp={help} />
      )}
      {asked.has('help') && <KeyHelp opened={open === 'help'} onClose={close} />}
    </Suspense>
  );
}

/** Where what is typed arrives by itself. */
const SEARCH = '[role="dialog"] [role="combobox"]';

/**
 * Takes what is typed between asking for the palette and its search having the focus: its part of the app may still be on its
 * way. Escape gives it up.
 */
function useEarlyKeys(asked: boolean, setQuery: Dispatch<SetStateAction<string>>, close: () => void) {
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
