import { createSignal } from '@drawhouse/session/page-store';
import { entryOf, readAddress, type Address } from '@drawhouse/session/page-history';
import { linkOf } from '@drawhouse/session/page-link';
import { startTransition, useEffect, useState } from 'react';

const { listen, notify } = createSignal();
const scrollDepths = new Map<number, number>();
let address = readAddress(location);
let entry = entryOf(history.state);
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
  scrollDepths.set(entry, window.scrollY);
  entry = entryOf(history.state);
  arrive(scrollDepths.get(entry) ?? 0);
});

export function go(path: string, { replace = false } = {}): void {
  scrollDepths.set(entry, window.scrollY);
  if (!replace) entry += 1;
  // A page opened from a sheet takes the sheet's entry.
  history[replace || layerEntries > 0 ? 'replaceState' : 'pushState']({ entry }, '', path);
  layers = [];
  layerEntries = 0;
  arrive(0);
}

/** Call the result when the sheet or menu closes. */
export function openLayer(onBack: () => void): () => void {
  layers = [...layers, onBack];
  if (layerEntries < layers.length) {
    layerEntries += 1;
    history.pushState({ entry }, '');
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

export const Link = linkOf(go);

function arrive(depth: number): void {
  address = readAddress(location);
  arrival = { depth };
  notify();
}

export function toHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}
