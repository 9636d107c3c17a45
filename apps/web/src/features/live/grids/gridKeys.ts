/** How long digits typed one after another count as one number. */
export const TYPING_MS = 800;

/** Where an arrow key leads in a grid read row by row; `null` where it leads nowhere or is no such key. */
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

/** Where an outcome lies on the page, in px. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const ARROWS: Readonly<Record<string, { beside: boolean; sign: 1 | -1 }>> = {
  ArrowLeft: { beside: true, sign: -1 },
  ArrowRight: { beside: true, sign: 1 },
  ArrowUp: { beside: false, sign: -1 },
  ArrowDown: { beside: false, sign: 1 },
};

/**
 * Where an arrow key leads among outcomes as they lie: to the nearest one that lies straight in its direction, or up and down where
 * there is none, to the nearest in the next row; Home and End to the first and last. `null` where it leads nowhere or is no such key.
 */
export function arrowTargetAmong(key: string, index: number, boxes: readonly Box[]): number | null {
  const arrow = ARROWS[key];
  const from = boxes[index];
  if (!arrow || !from) return arrowTarget(key, index, boxes.length, 1);
  const { beside, sign } = arrow;
  const middle = ({ left, top, width, height }: Box, across: boolean): number =>
    across === beside ? top + height / 2 : left + width / 2;
  const [start, size] = beside ? (['top', 'height'] as const) : (['left', 'width'] as const);
  const ahead = boxes.flatMap((box, at) => {
    const distance = sign * (middle(box, false) - middle(from, false));
    const reach = (beside ? box.width + from.width : box.height + from.height) / 2;
    // Boxes of one row overlap along the way.
    if (distance < reach / 2) return [];
    const isStraight = box[start] < from[start] + from[size] - 1 && from[start] < box[start] + box[size] - 1;
    return [{ at, isStraight, distance, aside: Math.abs(middle(box, true) - middle(from, true)) }];
  });
  const straight = ahead.filter(({ isStraight }) => isStraight);
  const [nearest] = (straight.length > 0 || beside ? straight : ahead).toSorted(
    (a, b) => a.distance - b.distance || a.aside - b.aside,
  );
  return nearest?.at ?? null;
}

/** Digits typed so far, and when the last one was. */
export interface Typing {
  text: string;
  at: number;
}

/** Nothing typed. */
export const NO_TYPING: Typing = { text: '', at: 0 };

/**
 * The outcome that typed digits name. A digit goes on from the ones before it where an outcome begins with all of them, else it
 * starts afresh; `drawno` is the outcome that reads exactly so, if there is one.
 */
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
