/**
 * Languages of the players, each with its own name, and the `Intl` locales of its numbers and dates. Hindi keeps Latin
 * digits, as Indian banks, lotteries and payment apps do: bets are typed with them, and boards, tickets and prints show
 * the same signs. Its numbers are grouped by lakh: 12,34,567.
 */
export const LANGUAGES = {
  en: { name: 'English', numbers: 'en-US', dates: 'en-GB' },
  hi: { name: 'हिन्दी', numbers: 'hi-IN-u-nu-latn', dates: 'hi-IN-u-nu-latn' },
} as const;

export type Language = keyof typeof LANGUAGES;

/** Texts as a catalogue types them: any text for each text, and functions with the same input. */
export type Texts<T> = T extends string
  ? string
  : T extends (...input: infer Input) => infer Output
    ? (...input: Input) => Texts<Output>
    : { readonly [Key in keyof T]: Texts<T[Key]> };

/** Texts of one language other than English. Its script sets it before the app runs. */
export interface Catalogue {
  readonly language: Language;
  /** Texts by the name they have in English. `formats` write numbers and dates. */
  readonly textsOf: (name: string, english: unknown, formats: unknown) => unknown;
}

declare global {
  var catalogue: Catalogue | undefined;
}

/** Fixed while a page lives. English if the catalogue could not be loaded. */
export const language: Language = /* @__PURE__ */ (() => globalThis.catalogue?.language ?? 'en')();

/** Texts in the reader's language. `english` is the catalogue of the others, and what is shown without one. */
export function textsIn<T>(name: string, english: T, formats?: unknown): Texts<T> {
  return (globalThis.catalogue?.textsOf(name, english, formats) ?? english) as Texts<T>;
}

interface Page {
  readonly localStorage: { readonly setItem: (name: string, text: string) => void };
  readonly location: { readonly reload: () => void };
}

/** Takes effect with a load of the page: texts are constants while it lives. The first script of each page reads it. */
export function chooseLanguage({ localStorage, location }: Page, chosen: Language): void {
  localStorage.setItem('language', chosen);
  location.reload();
}

const rules = /* @__PURE__ */ new Intl.PluralRules(LANGUAGES[language].numbers);

/** Forms of a text by the plural categories of all languages. */
export type PluralForms = Readonly<Record<'one' | 'other', string>>;

export function plural(count: number, forms: PluralForms): string {
  return forms[rules.select(count) as keyof PluralForms];
}
