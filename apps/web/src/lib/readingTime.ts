/** How long a character takes to read, in milliseconds: some 220 words a minute, so that no sentence of the spec stays longer than it says. */
const PER_CHARACTER_MS = 45;

/** How long a text stays, in milliseconds: at least as long as the spec has it, and until it can have been read. */
export function readingMs(text: string, atLeast: number): number {
  return Math.max(atLeast, text.length * PER_CHARACTER_MS);
}
