/** Milliseconds: about 220 words a minute, so no sentence outstays its time in the spec. */
const PER_CHARACTER_MS = 45;

/** Milliseconds: the spec's time, or longer if the text takes longer to read. */
export function readingMs(text: string, atLeast: number): number {
  return Math.max(atLeast, text.length * PER_CHARACTER_MS);
}
