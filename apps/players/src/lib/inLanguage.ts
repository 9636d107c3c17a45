import { plural, textsIn } from '@drawhouse/session/language';
import type { Texts } from '@drawhouse/session/language';
import * as amounts from './amounts.ts';

/** Locale for the numbers and dates of a catalogue. */
const formats = { ...amounts, plural };
export type Formats = typeof formats;

/** Texts in the reader's language. `english` is the catalogue for all other languages. */
export function inLanguage<T>(name: string, english: T): Texts<T> {
  return textsIn(name, english, formats);
}

/** A text of a shared package, such as a kind of bet, or of the server. Unchanged if the catalogue lacks it. */
export const sharedText = inLanguage('sharedText', (english: string): string => english);

/** Translates the server's English messages. */
export const serverTexts = inLanguage('serverTexts', {
  refusal: (_code: string, message: string): string => message,
  field: (message: string): string => message,
  done: (message: string): string => message,
});
