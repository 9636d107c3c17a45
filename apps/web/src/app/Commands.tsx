import { lazy, Suspense, useCallback, useState, useEffect } from 'react';
import { prefetchOnFirstUse } from '../lib/lazyParts.ts';
import { useKeys } from './useKeys.ts';
import type { Dispatch, SetStateAction } from 'react';

const loadPalette = () => import('./CommandPalette.tsx');
prefetchOnFirstUse(loadPalette);
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }));
const KeyHelp = lazy(async () => ({ default: (await import('./KeyHelp.tsx')).KeyHelp }));

type Open = 'palette' | 'help' | null;

export interface Commands {
  open: Open;
  setOpen: (open: Open) => void;
}

export function useCommands(main: { readonly current: HTMLElement | null }): Commands {
  const [open, setOpen] = useState<Open>(null);
  const openPalette = useCallback(() => setOpen('palette'), []);
  const openHelp = useCallback(() => setOpen('help'), []);
  useKeys({ main, openPalette, openHelp });
  return { open, setOpen };
}

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

const SEARCH = '[role="dialog"] [role="combobox"]';

/** Collects keystrokes between the shortcut and the palette's focus, while its code may still load. Escape cancels. */
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
