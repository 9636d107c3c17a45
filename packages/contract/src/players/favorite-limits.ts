/** `most`: per player and game. `name`, `text`: in characters. */
export const FAVORITE_LIMITS = { most: 20, name: 40, text: 4_000 } as const;
