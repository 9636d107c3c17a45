import { createPageStore } from '@drawhouse/session/page-store';

/** Display time in milliseconds: base plus extra per letter. */
const STAYS_MS = 4000;
const OF_A_LETTER_MS = 45;

const said = createPageStore<string | null>(null);
export const useToast = said.useValue;
let timer: ReturnType<typeof setTimeout> | undefined;

export function showToast(sentence: string): void {
  clearTimeout(timer);
  said.set(sentence);
  timer = setTimeout(() => said.set(null), STAYS_MS + sentence.length * OF_A_LETTER_MS);
}
