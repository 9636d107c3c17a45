/** How long a character takes to read, slowly, in milliseconds. */
const PER_CHARACTER_MS = 60;

/** How long a text stays, in milliseconds: at least as long as the spec has it, and until it can have been read. */
export function readingMs(text: string, atLeast: number): number {
  return Math.max(atLeast, text.length * PER_CHARACTER_MS);
}
