import { entryOf, readAddress, type Address } from '@drawhouse/session/page-history';
import { createSignal } from '@drawhouse/session/page-store';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { LEAVE_AFTER_MS } from '../firstTexts.ts';

/** Returns true to stay. `proceed` then leaves without asking again. */
type Blocker = (next: Address, proceed: () => void) => boolean;

const { listen, notify } = createSignal();
const blockers = new Set<Blocker>();
let address = readAddress(window.location);
let entry = entryOf(window.history.state);
/** Undoes a blocked traversal or repeats it on request, without confirmation. */
let unasked: 'undo' | 'repeat' | null = null;

window.addEventListener('popstate', () => {
  const why = unasked;
  unasked = null;
  if (why === 'undo') return;
  const steps = entryOf(window.history.state) - entry;
  const traverse = (again: typeof unasked, by: number) => {
    unasked = again;
    window.history.go(by);
  };
  // The browser has already moved.
  const isBlocked =
    why === null && steps !== 0 && asksToStay(readAddress(window.location), () => traverse('repeat', steps));
  if (isBlocked) traverse('undo', -steps);
  else arrive();
});

export const go = {
  to: (path: string): void => move(path, 'pushState'),
  replace: (path: string): void => move(path, 'replaceState'),
  /** Falls back to `otherwise` without a previous page. */
  back: (otherwise: string): void => (entry > 0 ? window.history.back() : move(otherwise, 'replaceState')),
} as const;

/** Asks before each navigation, until the returned function is called. */
export function blockNavigation(blocker: Blocker): () => void {
  blockers.add(blocker);
  return () => void blockers.delete(blocker);
}

/** Select strings or booleans: a new object per call would render forever. */
export function useAddress<Value extends string | boolean>(select: (address: Address) => Value): Value {
  return useSyncExternalStore(listen, () => select(address));
}

export function usePathname(): string {
  return useAddress(({ pathname }) => pathname);
}

export function useSearch(): Readonly<Record<string, string | undefined>> {
  const search = useAddress((now) => now.search);
  return useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search]);
}

function move(path: string, how: 'pushState' | 'replaceState'): void {
  const leave = () => {
    if (how === 'pushState') entry += 1;
    window.history[how]({ entry }, '', path);
    arrive();
  };
  if (!asksToStay(readAddress(new URL(path, window.location.href)), leave)) leave();
}

function asksToStay(next: Address, proceed: () => void): boolean {
  return [...blockers].some((asks) => asks(next, proceed));
}

function arrive(): void {
  address = readAddress(window.location);
  entry = entryOf(window.history.state);
  notify();
}

interface WayBack {
  readonly back: () => void;
  /** Waits a second so that the message can be read. Canceled if the user leaves first. */
  readonly backLater: () => void;
}

export function useWayBack(otherwise: string): WayBack {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const back = () => go.back(otherwise);
  const backLater = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(back, LEAVE_AFTER_MS);
  };
  return { back, backLater };
}

let unsavedForms = 0;

export function hasUnsaved(): boolean {
  return unsavedForms > 0;
}

export function useUnsavedInput(when: boolean): void {
  useEffect(() => {
    if (!when) return;
    unsavedForms += 1;
    return () => {
      unsavedForms -= 1;
    };
  }, [when]);
}
