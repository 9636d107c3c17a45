/** Where something lies, in px. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The keys that walk a board. */
export type WalkKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

/** Whether a key walks a board. */
export function isWalkKey(key: string): key is WalkKey {
  return ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key);
}

/**
 * Which cell an arrow leads to: the nearest in its direction as the cells lie, whichever way they are wrapped; in its own row or column before
 * any beside. Home and End lead to the first and last of the board. The same where there is none.
 */
export function walk(places: readonly Place[], from: number, key: WalkKey): number {
  if (key === 'Home') return 0;
  if (key === 'End') return places.length - 1;
  const here = places[from];
  if (!here) return from;
  const isAcross = key === 'ArrowLeft' || key === 'ArrowRight';
  const sign = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1;
  const middle = ({ left, top, width, height }: Place) => ({ x: left + width / 2, y: top + height / 2 });
  const start = middle(here);
  let best = from;
  let least = Infinity;
  for (const [index, place] of places.entries()) {
    const end = middle(place);
    const ahead = sign * (isAcross ? end.x - start.x : end.y - start.y);
    const beside = Math.abs(isAcross ? end.y - start.y : end.x - start.x);
    const reach = (isAcross ? here.height + place.height : here.width + place.width) / 2;
    // What does not overlap it in the other direction lies in another row or column.
    if (index === from || ahead <= 1 || (isAcross && beside >= reach)) continue;
    const distance = ahead + (beside >= reach ? 10 : 0.5) * beside;
    if (distance < least) {
      best = index;
      least = distance;
    }
  }
  return best;
}
