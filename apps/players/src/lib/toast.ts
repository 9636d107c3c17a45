import { createPageStore } from '@drawhouse/session/page-store';

/** Display time in milliseconds: base plus extra per letter. */
const STAYS_MS = 4000;
const OF_A_LETTER_MS = 45;

const toastStore = createPageStore<string | null>(null);
export const useToast = toastStore.useValue;
let timer: ReturnType<typeof setTimeout> | undefined;

export function showToast(sentence: string): void {
  clearTimeout(timer);
  toastStore.set(sentence);
  timer = setTimeout(() => toastStore.set(null), STAYS_MS + sentence.length * OF_A_LETTER_MS);
}
