export interface CellBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type WalkKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

export function isWalkKey(key: string): key is WalkKey {
  return ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key);
}

/** Finds the nearest cell in that direction, same row or column first. Home and End jump to the first and last. */
export function walk(boxes: readonly CellBox[], from: number, key: WalkKey): number {
  if (key === 'Home') return 0;
  if (key === 'End') return boxes.length - 1;
  const current = boxes[from];
  if (!current) return from;
  const isAcross = key === 'ArrowLeft' || key === 'ArrowRight';
  const sign = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1;
  const middle = ({ left, top, width, height }: CellBox) => ({ x: left + width / 2, y: top + height / 2 });
  const start = middle(current);
  let best = from;
  let least = Infinity;
  for (const [index, box] of boxes.entries()) {
    const end = middle(box);
    const ahead = sign * (isAcross ? end.x - start.x : end.y - start.y);
    const offset = Math.abs(isAcross ? end.y - start.y : end.x - start.x);
    const reach = (isAcross ? current.height + box.height : current.width + box.width) / 2;
    // No overlap means another row or column.
    if (index === from || ahead <= 1 || (isAcross && offset >= reach)) continue;
    const distance = ahead + (offset >= reach ? 10 : 0.5) * offset;
    if (distance < least) {
      best = index;
      least = distance;
    }
  }
  return best;
}
