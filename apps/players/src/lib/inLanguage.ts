import { plural } from '@drawhouse/session/language';
import type { Texts } from '@drawhouse/session/language';
import * as amounts from './amounts.ts';

/** What a catalogue writes numbers and dates with. */
const formats = { ...amounts, plural };

/** Texts in the reader's language. `english` is the catalogue of the others, and what is shown without one. */
export function inLanguage<T>(name: string, english: T): Texts<T> {
  return (globalThis.catalogue?.textsOf(name, english, formats) ?? english) as Texts<T>;
}

/** A text of a shared package, such as a kind of bet, or of the server. Unchanged if the catalogue lacks it. */
export const sharedText = inLanguage('sharedText', (english: string): string => english);
