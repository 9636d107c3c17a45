import { useSyncExternalStore } from 'react';

/** What styles call it; before it is measured they take a wide font's. */
const PROPERTY = '--digit';
const PROBE = '0123456789';
const PROBE_PX = 20;

let widest: number | undefined;
const readers = new Set<() => void>();

/** A line of bold digits that nobody sees, in the font that the page really has. Another font gives it another width. */
function startToMeasure(): number {
  const probe = document.createElement('span');
  probe.textContent = PROBE;
  probe.ariaHidden = 'true';
  Object.assign(probe.style, {
    position: 'fixed',
    visibility: 'hidden',
    pointerEvents: 'none',
    whiteSpace: 'nowrap',
    fontSize: `${PROBE_PX}px`,
    fontWeight: '700',
    fontVariantNumeric: 'tabular-nums',
  });
  document.body.append(probe);
  const measure = (): number => {
    widest = probe.getBoundingClientRect().width / (PROBE.length * PROBE_PX);
    document.documentElement.style.setProperty(PROPERTY, String(widest));
    return widest;
  };
  new ResizeObserver(() => {
    const before = widest;
    if (measure() !== before) for (const read of readers) read();
  }).observe(probe);
  return measure();
}

function subscribe(onChange: () => void): () => void {
  readers.add(onChange);
  return () => void readers.delete(onChange);
}

/**
 * How wide a bold digit is in the font that the page really has, as a part of the font's size: 0.56 of Liberation Sans, 0.7 of DejaVu Sans.
 * While anybody has asked for it, styles have it as `--digit`. By it what must be whole is made to fit in whatever font: an amount of n
 * characters is no wider than n digits, as its signs are offset by its points and commas.
 */
export function useDigitWidth(): number {
  return useSyncExternalStore(subscribe, () => widest ?? startToMeasure());
}
