import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { createSignal } from '@drawhouse/session/page-store';

/** Returns pixels. Until measured, before the first paint, the window's width saves a phone from rendering twice. */
export function useWidth(start = window.innerWidth): {
  ref: (node: HTMLElement | null) => (() => void) | undefined;
  width: number;
} {
  const [width, setWidth] = useState(start);
  const ref = useCallback((node: HTMLElement | null) => {
    if (!node) return undefined;
    const measure = () => setWidth(node.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 599px)', undefined, { getInitialValueInEffect: false }) ?? false;
}

/** Until it is measured, styles use a wide font's value. */
const PROPERTY = '--digit';
const PROBE = '0123456789';
const PROBE_PX = 20;

let widest: number | undefined;
const { listen, notify } = createSignal();

/** Measures invisible bold digits in the loaded font. Runs again if the font changes. */
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
    if (measure() !== before) notify();
  }).observe(probe);
  return measure();
}

/**
 * Width of a bold digit relative to the font size: 0.56 in Liberation Sans, 0.7 in DejaVu Sans. Published as CSS
 * `--digit` while in use. An amount of n characters is never wider than n digits: points and commas offset signs.
 */
export function useDigitWidth(): number {
  return useSyncExternalStore(listen, () => widest ?? startToMeasure());
}
