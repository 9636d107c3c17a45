import * as z from 'zod/mini';

/** What nobody sees, or what turns the direction of the letters behind it: names that differ in it alone look the same. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
/** Their letters are the ones that pass for Latin. */
const ALIKE = /[\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** A text as names are kept: one form of each letter (NFKC), so that full-width letters are those of the keyboard, and no blank at its ends. */
export const oneForm = [z.normalize('NFKC'), z.trim()] as const;

/** What no name has: characters that can't be seen, and words that mix Latin letters with Greek or Cyrillic ones. Comes after {@link oneForm}. */
export const asItLooks = [
  z.refine<string>((text) => !UNSEEN.test(text), {
    error: "Leave out what can't be seen, such as zero-width characters and marks of direction",
  }),
  z.refine<string>((text) => mixedWord(text) === undefined, {
    error: ({ input }) =>
      `Write “${mixedWord(input as string)}” in one script: it mixes Latin letters with Greek or Cyrillic ones`,
  }),
] as const;

/** A name that must be there, in one form. `message` is what the field says when it is missing. */
export function requiredName(message: string, maxLength: number) {
  return z
    .string({ error: message })
    .check(
      ...oneForm,
      z.minLength(1, { error: message }),
      z.maxLength(maxLength, { error: `Use at most ${maxLength} characters` }),
      ...asItLooks,
    );
}

function mixedWord(text: string): string | undefined {
  return text.match(WORD)?.find((word) => LATIN.test(word) && ALIKE.test(word));
}
