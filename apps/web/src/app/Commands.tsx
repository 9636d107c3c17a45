import { useCallback, useState, useEffect } from 'react';
import { prefetched } from '../lib/lazyParts.ts';
import { useKeys } from './keys/useKeys.ts';
import type { Dispatch, SetStateAction } from 'react';

const usePalette = prefetched(() => import('./command-palette/CommandPalette.tsx'));
const useKeyHelp = prefetched(() => import('./keys/KeyHelp.tsx'));

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
  const [loaded, setLoaded] = useState<ReadonlySet<Open>>(new Set());
  if (open !== null && !loaded.has(open)) setLoaded(new Set([...loaded, open]));
  const [query, setQuery] = useState('');
  const close = useCallback(() => {
    setOpen(null);
    setQuery('');
  }, [setOpen]);
  useEarlyKeys(open === 'palette', setQuery, close);
  const help = useCallback(() => setOpen('help'), [setOpen]);
  const palette = usePalette(loaded.has('palette'));
  const keyHelp = useKeyHelp(loaded.has('help'));
  return (
    <>
      {palette && loaded.has('palette') && (
        <palette.CommandPalette
          opened={open === 'palette'}
          query={query}
          onQuery={setQuery}
          onClose={close}
          onHelp={help}
        />
      )}
      {keyHelp && loaded.has('help') && <keyHelp.KeyHelp opened={open === 'help'} onClose={close} />}
    </>
  );
}

const SEARCH = '[role="dialog"] [role="combobox"]';

/** Collects keystrokes before the palette has the focus, while its code may still load. */
function useEarlyKeys(enabled: boolean, setQuery: Dispatch<SetStateAction<string>>, close: () => void) {
  useEffect(() => {
    if (!enabled) return undefined;
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
  }, [enabled, setQuery, close]);
}
