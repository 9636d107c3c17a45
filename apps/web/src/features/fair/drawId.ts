const DRAW_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Whether a text is the id of a draw in its form. */
export function isDrawId(text: string): boolean {
  return DRAW_ID.exec(text)?.[0] === text;
}

/** The id in what people paste: the id itself, or the address of a draw; null where there is none. */
export function readDrawId(text: string): string | null {
  return DRAW_ID.exec(text)?.[0].toLowerCase() ?? null;
}
