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
