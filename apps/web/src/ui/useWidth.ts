import { useCallback, useState } from 'react';

/** Tracks an element's inner width in pixels. Infinite until measured, before the first paint. */
export function useWidth(): { ref: (node: HTMLElement | null) => (() => void) | undefined; width: number } {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
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
