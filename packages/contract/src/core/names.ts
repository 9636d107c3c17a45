import * as z from 'zod/mini';
import { CORE_TEXTS } from './field-texts.ts';

/** Invisible or direction-changing characters, which make different names look identical. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const LATIN_LOOKALIKES = /[\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** Stored names are in NFKC: full-width letters become plain ones. */
export const normalized = [z.normalize('NFKC'), z.trim()] as const;

/** Refuses invisible characters, and words mixing Latin with Greek or Cyrillic. Apply after {@link normalized}. */
export const unambiguous = [
  z.refine<string>((text) => !INVISIBLE.test(text), {
    error: CORE_TEXTS.invisible,
  }),
  z.refine<string>((text) => mixedWord(text) === undefined, {
    error: ({ input }) => CORE_TEXTS.mixedScripts(mixedWord(input as string)!),
  }),
] as const;

/** `message`: if missing. */
export function requiredName(message: string, maxLength: number) {
  return z
    .string({ error: message })
    .check(
      ...normalized,
      z.minLength(1, { error: message }),
      z.maxLength(maxLength, { error: CORE_TEXTS.tooLong(maxLength) }),
      ...unambiguous,
    );
}

function mixedWord(text: string): string | undefined {
  return text.match(WORD)?.find((word) => LATIN.test(word) && LATIN_LOOKALIKES.test(word));
}
