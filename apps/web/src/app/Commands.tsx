import { lazy, Suspense, useCallback, useState } from 'react';
import { useKeys } from './useKeys.ts';

const CommandPalette = lazy(async () => ({ default: (await import('./CommandPalette.tsx')).CommandPalette }));
const KeyHelp = lazy(async () => ({ default: (await import('./KeyHelp.tsx')).KeyHelp }));

/** Which of the two is open; each is loaded when it is first asked for. */
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
  const close = useCallback(() => setOpen(null), [setOpen]);
  const help = useCallback(() => setOpen('help'), [setOpen]);
  return (
    <Suspense>
      {asked.has('palette') && <CommandPalette opened={open === 'palette'} onClose={close} onHelp={help} />}
      {asked.has('help') && <KeyHelp opened={open === 'help'} onClose={close} />}
    </Suspense>
  );
}
