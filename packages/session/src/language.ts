/**
 * `Intl` locales per language. Hindi keeps Latin digits, as Indian banks, lotteries and payment apps do: bets are typed
 * with them, and boards, tickets and prints show them. Numbers are grouped by lakh: 12,34,567.
 */
export const LANGUAGES = {
  en: { name: 'English', numbers: 'en-US', dates: 'en-GB' },
  hi: { name: 'हिन्दी', numbers: 'hi-IN-u-nu-latn', dates: 'hi-IN-u-nu-latn' },
} as const;

export type Language = keyof typeof LANGUAGES;

/** Any text for each text, and functions with the same input. */
export type Texts<T> = T extends string
  ? string
  : T extends (...input: infer Input) => infer Output
    ? (...input: Input) => Texts<Output>
    : { readonly [Key in keyof T]: Texts<T[Key]> };

/** Texts of a language other than English. Its script runs before the app. */
export interface Catalogue {
  readonly language: Language;
  /** `name` as in English. `formats` write numbers and dates. */
  readonly textsOf: (name: string, english: unknown, formats: unknown) => unknown;
}

declare global {
  var catalogue: Catalogue | undefined;
}

/** English if the catalogue did not load. */
export const language: Language = /* @__PURE__ */ (() => globalThis.catalogue?.language ?? 'en')();

/** Falls back to `english`. */
export function textsIn<T>(name: string, english: T, formats?: unknown): Texts<T> {
  return (globalThis.catalogue?.textsOf(name, english, formats) ?? english) as Texts<T>;
}

interface Page {
  readonly localStorage: { readonly setItem: (name: string, text: string) => void };
  readonly location: { readonly reload: () => void };
}

/** Reloads the page, because texts are constants. */
export function chooseLanguage({ localStorage, location }: Page, chosen: Language): void {
  localStorage.setItem('language', chosen);
  location.reload();
}

const rules = /* @__PURE__ */ new Intl.PluralRules(LANGUAGES[language].numbers);

export type PluralForms = Readonly<Record<'one' | 'other', string>>;

export function plural(count: number, forms: PluralForms): string {
  return forms[rules.select(count) as keyof PluralForms];
}
