import { useEffect } from 'react';
import { isSwitchedOff } from '../lib/singleKeys.ts';

/** What the app's keys lead to. */
interface KeyTargets {
  /** The page's content, where lists and their search are. */
  main: { readonly current: HTMLElement | null };
  openPalette: () => void;
  openHelp: () => void;
}

/** Where a single key is a letter, or moves something else. */
const TYPING = 'input, textarea, select, [contenteditable="true"], [role="combobox"], [role="listbox"], [role="menu"]';
const DIALOG = '[role="dialog"], [role="alertdialog"]';

/** Listens to the keys of the whole app. A single key never acts while somebody types or a dialog is open. */
export function useKeys({ main, openPalette, openHelp }: KeyTargets) {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (isPaletteKey(event)) {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector(DIALOG)) return;
      if (target.closest(TYPING)) {
        if (event.key === 'Escape' && main.current?.contains(target)) main.current.focus({ preventScroll: true });
        return;
      }
      if (isSwitchedOff(event)) return;
      if (main.current && act(event, main.current, openHelp)) event.preventDefault();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [main, openPalette, openHelp]);
}

function isPaletteKey(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
}

/** Does what a single key is for; answers whether there was something to do. */
function act(event: KeyboardEvent, main: HTMLElement, openHelp: () => void): boolean {
  switch (event.key) {
    case '?':
      openHelp();
      return true;
    case '/': {
      const search = main.querySelector<HTMLInputElement>('input[type="search"]');
      search?.focus();
      search?.select();
      return search !== null;
    }
    case 'j':
      return focusRow(main, 1);
    case 'k':
      return focusRow(main, -1);
    case 'ArrowDown':
      return isRowFocused() && focusRow(main, 1);
    case 'ArrowUp':
      return isRowFocused() && focusRow(main, -1);
    default:
      return false;
  }
}

/** What opens a row: its first link, which names it, else the button of its sheet. */
const OPENERS = ['td:not([data-apart]) a[href]', '[data-opener]'];

/** Puts the focus on the next row of the page's list, or with -1 on the one before. Answers whether there is one. */
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

/** Whether the focus stands in a row of a list. */
function isRowFocused(): boolean {
  return document.activeElement?.closest('tbody tr') != null;
}
