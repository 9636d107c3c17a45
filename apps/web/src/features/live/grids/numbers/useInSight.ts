import { useEffect, useState } from 'react';
import type { RefObject } from 'react';

/** Pixels covered by the sticky page header. */
const COVERED = 130;

/** Keys of visible sections, top down. `keys` lists all, separated by spaces. */
export function useInSight(grid: RefObject<HTMLElement | null>, keys: string): readonly string[] {
  const [inSight, setInSight] = useState<readonly string[]>([]);
  useEffect(() => {
    const seen = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const key = (target as HTMLElement).dataset['section']!;
          if (isIntersecting) seen.add(key);
          else seen.delete(key);
        }
        setInSight(keys.split(' ').filter((key) => seen.has(key)));
      },
      { rootMargin: `-${COVERED}px 0px 0px` },
    );
    for (const section of grid.current?.querySelectorAll('[data-section]') ?? []) observer.observe(section);
    return () => observer.disconnect();
  }, [grid, keys]);
  return inSight;
}
