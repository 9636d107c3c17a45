import { createSignal } from '@drawhouse/session/page-store';
import { createElement, startTransition, useEffect, useState } from 'react';
import type { ComponentPropsWithRef, MouseEvent } from 'react';

export interface Address {
  readonly path: string;
  readonly search: string;
}

interface HistoryState {
  /** History entry number, for scroll positions. */
  readonly entry?: number;
}

const { listen, notify } = createSignal();
const scrollDepths = new Map<number, number>();
let address = readAddress();
let entry = (history.state as HistoryState | null)?.entry ?? 0;
/** Pending action for the next heading. Null after a full load, which the browser handles. */
let arrival: { readonly depth: number } | null = null;

history.scrollRestoration = 'manual';
window.addEventListener('popstate', () => {
  const to = (history.state as HistoryState | null)?.entry ?? 0;
  scrollDepths.set(entry, window.scrollY);
  entry = to;
  arrive(scrollDepths.get(entry) ?? 0);
});

export function go(path: string, { replace = false } = {}): void {
  scrollDepths.set(entry, window.scrollY);
  if (!replace) entry += 1;
  history[replace ? 'replaceState' : 'pushState']({ entry } satisfies HistoryState, '', path);
  arrive(0);
}

export function leaveTo(path: string): void {
  location.assign(path);
}

export function currentAddress(): Address {
  return address;
}

export function useAddress(): Address {
  const [shown, setShown] = useState(address);
  useEffect(() => {
    const follow = () => startTransition(() => setShown(address));
    follow();
    return listen(follow);
  }, []);
  return shown;
}

/** After client navigation, focuses the heading and restores the scroll position. */
export function arriveAt(heading: HTMLElement): void {
  if (!arrival) return;
  const { depth } = arrival;
  arrival = null;
  heading.focus({ preventScroll: true });
  window.scrollTo(0, depth);
}

/** A real link, so it can open in a new tab. */
export function Link({ to, onClick, ...rest }: ComponentPropsWithRef<'a'> & { to: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isElsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || isElsewhere || (rest.target ?? '_self') !== '_self') return;
    event.preventDefault();
    go(to);
  };
  return createElement('a', { ...rest, href: to, onClick: follow });
}

function arrive(depth: number): void {
  address = readAddress();
  arrival = { depth };
  notify();
}

function readAddress(): Address {
  const { pathname, search } = location;
  return { path: pathname.replace(/(?<=.)\/$/, ''), search };
}

/** Focuses the heading without scrolling, after the focused element disappeared. */
export function toHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}
