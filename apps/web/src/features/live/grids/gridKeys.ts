/** Later digits start a new number. */
export const TYPING_MS = 800;

/** Finds the target in a row-major grid; null if none. */
export function arrowTarget(key: string, index: number, count: number, columns: number): number | null {
  const target = (() => {
    switch (key) {
      case 'ArrowLeft':
        return index - 1;
      case 'ArrowRight':
        return index + 1;
      case 'ArrowUp':
        return index - columns;
      case 'ArrowDown':
        return index + columns;
      case 'Home':
        return 0;
      case 'End':
        return count - 1;
      default:
        return null;
    }
  })();
  return target === null || target < 0 || target >= count || target === index ? null : target;
}

/** Lengths in pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const ARROWS: Readonly<Record<string, { horizontal: boolean; sign: 1 | -1 }>> = {
  ArrowLeft: { horizontal: true, sign: -1 },
  ArrowRight: { horizontal: true, sign: 1 },
  ArrowUp: { horizontal: false, sign: -1 },
  ArrowDown: { horizontal: false, sign: 1 },
};

/**
 * Finds the target among freely placed outcomes: the nearest straight ahead, or vertically the nearest in the next row.
 * Home and End lead to the ends. Null if none.
 */
export function arrowTargetAmong(key: string, index: number, boxes: readonly Box[]): number | null {
  const arrow = ARROWS[key];
  const from = boxes[index];
  if (!arrow || !from) return arrowTarget(key, index, boxes.length, 1);
  const { horizontal, sign } = arrow;
  const middle = ({ left, top, width, height }: Box, across: boolean): number =>
    across === horizontal ? top + height / 2 : left + width / 2;
  const [start, size] = horizontal ? (['top', 'height'] as const) : (['left', 'width'] as const);
  const ahead = boxes.flatMap((box, at) => {
    const distance = sign * (middle(box, false) - middle(from, false));
    const reach = (horizontal ? box.width + from.width : box.height + from.height) / 2;
    // Boxes of one row overlap in this direction.
    if (distance < reach / 2) return [];
    const isStraight = box[start] < from[start] + from[size] - 1 && from[start] < box[start] + box[size] - 1;
    return [{ at, isStraight, distance, aside: Math.abs(middle(box, true) - middle(from, true)) }];
  });
  const straight = ahead.filter(({ isStraight }) => isStraight);
  const [nearest] = (straight.length > 0 || horizontal ? straight : ahead).toSorted(
    (a, b) => a.distance - b.distance || a.aside - b.aside,
  );
  return nearest?.at ?? null;
}

export interface Typing {
  text: string;
  at: number;
}

export const NO_TYPING: Typing = { text: '', at: 0 };

/** Appends a digit while some outcome starts with the result, else starts over. `drawno`: the exact match. */
export function typeDigit(
  typing: Typing,
  digit: string,
  now: number,
  drawnos: readonly string[],
): { typing: Typing; drawno: string | null } {
  const before = now - typing.at <= TYPING_MS ? typing.text : '';
  const longer = before + digit;
  const text = drawnos.some((drawno) => drawno.startsWith(longer)) ? longer : digit;
  return { typing: { text, at: now }, drawno: drawnos.find((drawno) => drawno === text) ?? null };
}

interface RowCounts {
  row: number;
  button: number;
}

/** Vertical arrows change rows, horizontal ones the button. */
export function rowTarget(
  key: string,
  at: RowCounts,
  count: RowCounts,
): { among: 'numbers' | 'buttons'; index: number } | null {
  const sideways = key === 'ArrowLeft' || key === 'ArrowRight';
  const of = sideways ? 'button' : 'row';
  const index = arrowTarget(key, at[of], count[of], 1);
  return index === null ? null : { among: sideways ? 'buttons' : 'numbers', index };
}
