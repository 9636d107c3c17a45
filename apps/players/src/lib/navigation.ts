import { createElement, startTransition, useEffect, useState } from 'react';
import type { ComponentPropsWithRef, MouseEvent } from 'react';

/** Where the browser is: the path without a slash at its end, and what is asked of it. */
export interface Address {
  readonly path: string;
  readonly search: string;
}

interface HistoryState {
  /** The place in the history, by which it is known how far down it was looked at. */
  readonly place?: number;
}

const listeners = new Set<() => void>();
/** How far down each place of the history was looked at, in px. */
const depths = new Map<number, number>();
let address = readAddress();
let place = (history.state as HistoryState | null)?.place ?? 0;
/** What the heading of the next page does when it is there; null where the page was loaded, which the browser sees to. */
let arrival: { readonly depth: number } | null = null;

history.scrollRestoration = 'manual';
window.addEventListener('popstate', () => {
  const to = (history.state as HistoryState | null)?.place ?? 0;
  depths.set(place, window.scrollY);
  place = to;
  arrive(depths.get(place) ?? 0);
});

/** Goes to another page of this client, or with `replace` puts it in the place of this one. */
export function go(path: string, { replace = false } = {}): void {
  depths.set(place, window.scrollY);
  if (!replace) place += 1;
  history[replace ? 'replaceState' : 'pushState']({ place } satisfies HistoryState, '', path);
  arrive(0);
}

/** Leaves this client for another page of the server, which is loaded. */
export function leaveTo(path: string): void {
  location.assign(path);
}

/** Where the browser now is. */
export function currentAddress(): Address {
  return address;
}

/** Where the browser is. The page before stays until the next one can be shown. */
export function useAddress(): Address {
  const [shown, setShown] = useState(address);
  useEffect(() => {
    const follow = () => startTransition(() => setShown(address));
    follow();
    listeners.add(follow);
    return () => void listeners.delete(follow);
  }, []);
  return shown;
}

/** What the heading of a page does once it is there after a step in this client: it takes the focus, and the page lies where it lay. */
export function arriveAt(heading: HTMLElement): void {
  if (!arrival) return;
  const { depth } = arrival;
  arrival = null;
  heading.focus({ preventScroll: true });
  window.scrollTo(0, depth);
}

/** A link to a page of this client: a real one, that opens elsewhere where its reader wants it to. */
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
  for (const listener of listeners) listener();
}

function readAddress(): Address {
  const { pathname, search } = location;
  return { path: pathname.replace(/(?<=.)\/$/, ''), search };
}
