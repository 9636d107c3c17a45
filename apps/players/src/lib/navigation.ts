import { createSignal } from '@drawhouse/session/page-store';
import {
  createElement,
  startTransition,
  useEffect,
  useState,
  type ComponentPropsWithRef,
  type MouseEvent,
} from 'react';

export interface Address {
  readonly path: string;
  readonly search: string;
}

interface HistoryState {
  readonly entry?: number;
}

const { listen, notify } = createSignal();
const scrollDepths = new Map<number, number>();
let address = readAddress();
let entry = (history.state as HistoryState | null)?.entry ?? 0;
/** Pending focus and scroll for the next heading. Null after a full load, which the browser handles. */
let arrival: { readonly depth: number } | null = null;

/** Open sheets and menus, topmost last. Each has a history entry, so that Back closes it. */
let layers: readonly (() => void)[] = [];
/** History entries of layers; differs from `layers` until `settleLayers`. */
let layerEntries = 0;
let ownBacks = 0;

history.scrollRestoration = 'manual';
window.addEventListener('popstate', () => {
  if (ownBacks > 0) {
    ownBacks -= 1;
    return;
  }
  const top = layers.at(-1);
  if (top) {
    layers = layers.slice(0, -1);
    layerEntries -= 1;
    top();
    return;
  }
  const to = (history.state as HistoryState | null)?.entry ?? 0;
  scrollDepths.set(entry, window.scrollY);
  entry = to;
  arrive(scrollDepths.get(entry) ?? 0);
});

export function go(path: string, { replace = false } = {}): void {
  scrollDepths.set(entry, window.scrollY);
  if (!replace) entry += 1;
  // A page opened from a sheet takes the sheet's entry.
  history[replace || layerEntries > 0 ? 'replaceState' : 'pushState']({ entry } satisfies HistoryState, '', path);
  layers = [];
  layerEntries = 0;
  arrive(0);
}

/** Call the result when the sheet or menu closes. */
export function openLayer(onBack: () => void): () => void {
  layers = [...layers, onBack];
  if (layerEntries < layers.length) {
    layerEntries += 1;
    history.pushState({ entry } satisfies HistoryState, '');
  }
  return () => {
    layers = layers.filter((layer) => layer !== onBack);
    // Deferred, since a link or another sheet may take over the entry.
    setTimeout(settleLayers);
  };
}

function settleLayers(): void {
  if (layerEntries <= layers.length) return;
  layerEntries -= 1;
  ownBacks += 1;
  history.back();
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

export function toHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}
