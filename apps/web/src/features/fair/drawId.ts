const DRAW_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

export function isDrawId(text: string): boolean {
  return DRAW_ID.exec(text)?.[0] === text;
}

/** Accepts an id or a draw's address. Null otherwise. */
export function readDrawId(text: string): string | null {
  return DRAW_ID.exec(text)?.[0].toLowerCase() ?? null;
}
