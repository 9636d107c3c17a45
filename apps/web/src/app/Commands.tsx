import { useCallback, useState, useEffect, type Dispatch, type SetStateAction } from 'react';
import { prefetched } from '../lib/lazyParts.ts';
import { isSwitchedOff } from '../lib/devicePreferences.ts';
import { printPage } from '../ui/print/print.ts';

interface KeyTargets {
  main: { readonly current: HTMLElement | null };
  openPalette: () => void;
  openHelp: () => void;
}

const TICKS = '[type="checkbox"], [type="radio"]';
const TYPING = `input:not(${TICKS}), textarea, select, [contenteditable="true"], [role="combobox"], [role="listbox"], [role="menu"]`;
const DIALOG = '[role="dialog"], [role="alertdialog"]';

/** Ignores single keys during typing and in dialogs. */
function useKeys({ main, openPalette, openHelp }: KeyTargets) {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (isPaletteKey(event)) {
        event.preventDefault();
        openPalette();
        return;
      }
      if (isPrintKey(event)) {
        event.preventDefault();
        void printPage();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector(DIALOG)) return;
      if (target.closest(TYPING)) {
        if (event.key === 'Escape' && main.current?.contains(target)) main.current.focus({ preventScroll: true });
        return;
      }
      if (isSwitchedOff(event)) return;
      if (event.key === '/') {
        event.preventDefault();
        openPalette();
      } else if (main.current && act(event, main.current, openHelp)) event.preventDefault();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [main, openPalette, openHelp]);
}

function isPaletteKey(event: KeyboardEvent): boolean {
  return isWithCtrl(event, 'k');
}

function isPrintKey(event: KeyboardEvent): boolean {
  return isWithCtrl(event, 'p');
}

function isWithCtrl(event: KeyboardEvent, key: string): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === key;
}

function act(event: KeyboardEvent, main: HTMLElement, openHelp: () => void): boolean {
  switch (event.key) {
    case '?':
      openHelp();
      return true;
    case 'f': {
      const search = main.querySelector<HTMLInputElement>('input[type="search"]');
      search?.focus();
      search?.select();
      return search !== null;
    }
    case 'j':
      return focusRow(main, 1);
    case 'k':
      return focusRow(main, -1);
    case 'x': {
      const tick = document.activeElement?.closest('tbody tr')?.querySelector<HTMLElement>('[type="checkbox"]');
      tick?.click();
      return tick != null;
    }
    case 'b': {
      const first = main.querySelector<HTMLElement>('[data-selection] button');
      first?.focus();
      return first !== null;
    }
    case 'ArrowDown':
      return isRowFocused() && focusRow(main, 1);
    case 'ArrowUp':
      return isRowFocused() && focusRow(main, -1);
    default:
      return false;
  }
}

const OPENERS = ['td:not([data-apart]) a[href]', '[data-opener]'];

/** Returns false at the end. */
function focusRow(page: HTMLElement, step: 1 | -1): boolean {
  const openers = [...page.querySelectorAll('tbody tr')].flatMap(
    (row) => OPENERS.map((opener) => row.querySelector<HTMLElement>(opener)).find((found) => found !== null) ?? [],
  );
  const focusedRow = document.activeElement?.closest('tr');
  const at = openers.findIndex((opener) => opener.closest('tr') === focusedRow);
  const next = at === -1 ? openers[0] : openers[at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

function isRowFocused(): boolean {
  return document.activeElement?.closest('tbody tr') != null;
}

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
