import { plural, textsIn, type Texts } from '@drawhouse/session/language';
import * as amounts from './amounts.ts';

const formats = { ...amounts, plural };
export type Formats = typeof formats;

/** `english` is also used by languages without their own catalogue. */
export function inLanguage<T>(name: string, english: T): Texts<T> {
  return textsIn(name, english, formats);
}

/** Translates a text of a shared package or of the server. Falls back to English. */
export const sharedText = inLanguage('sharedText', (english: string): string => english);

export const serverTexts = inLanguage('serverTexts', {
  refusal: (_code: string, message: string): string => message,
  field: (message: string): string => message,
  done: (message: string): string => message,
});
