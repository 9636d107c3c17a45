import { lazy, Suspense, useCallback, useState } from 'react';
import { fetchWithFirstUse } from '../lib/part.ts';
import { useEarlyKeys } from './useEarlyKeys.ts';
import { useKeys } from './useKeys.ts';

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
