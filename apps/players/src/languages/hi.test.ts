import { LANGUAGES } from '@drawhouse/session/language';
import { BUILT_IN_GAMES, FAMILIES } from '@drawhouse/rules/games/catalogue';
import { expand } from '@drawhouse/rules/bet-text/expand';
import { wheelBets } from '@drawhouse/rules/games/families/roulette';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { PASSWORD_FIELD_TEXTS, SIGN_IN_TEXTS } from '@drawhouse/contract/auth/auth-texts';
import { PLAYER_FIELD_TEXTS } from '@drawhouse/contract/players/player-texts';
import { BREAKS, EXCLUSIONS, PROTECTION_LIMITS } from '@drawhouse/contract/players/player-limits';
import { expect, it, vi } from 'vitest';
import { expectSameInput, expectSamePlaces, leavesOf } from '../../../../packages/session/test/catalogue-checks.ts';
import { hi } from './hi.ts';

// The language's script has registered itself. Modules imported below keep their English texts.
const { textsOf } = globalThis.catalogue!;
const english = new Map<string, unknown>();
globalThis.catalogue = {
  language: 'en',
  textsOf: (name, texts, formats) => {
    english.set(name, texts);
    textsOf(name, texts, formats);
    return texts;
  },
};
vi.resetModules();
for (const load of Object.values(import.meta.glob(['../**/*Texts.ts', '../lib/inLanguage.ts']))) await load();

const leaves = [...english].flatMap(([name, texts]) => leavesOf(name, texts, hi[name as keyof typeof hi]));
const OF_OTHERS = /^(?:sharedText|serverTexts)/;

it('has the texts of all pages and no others, with what English inserts', () => {
  expect(Object.keys(hi).toSorted()).toEqual([...english.keys()].toSorted());
  expect(leaves.length).toBeGreaterThan(500);
  expectSamePlaces(leaves, /[\u0900-\u097F]/);
  expect(expectSameInput(leaves.filter(([path]) => !OF_OTHERS.test(path)))).toBeGreaterThan(120);
});

it.each(Object.entries(LANGUAGES))('has a plural form for each category of %s', (_language, { numbers }) => {
  expect(new Intl.PluralRules(numbers).resolvedOptions().pluralCategories.toSorted()).toEqual(['one', 'other']);
});

it('writes numbers by lakh with Latin digits, and months in Hindi', () => {
  const { numbers, dates } = LANGUAGES.hi;
  expect(new Intl.NumberFormat(numbers).format(1_234_567)).toBe('12,34,567');
  expect(new Intl.DateTimeFormat(dates, { month: 'long', day: 'numeric' }).format(Date.UTC(2026, 2, 4))).toBe('4 मार्च');
});

/** Stay in Latin letters: tiers, cards and words of typed bets. */
const KEPT = /\b(?:K[567]0|SP|DP|[AJQK])\b/g;
const isTranslated = (text: string) => !/[A-Za-z]{2}/.test(hi.sharedText(text).replaceAll(KEPT, ''));

it('names each bet, picture and limit', () => {
  const names = BUILT_IN_GAMES.flatMap((game) => {
    const rules = rulesFor({ ...game, pays: null });
    const { outcomes, heads, cardTypes = [], colors = [] } = rules;
    return [...outcomes, ...heads, ...cardTypes, ...colors]
      .flatMap(({ label }) => [label, `${label} 12`])
      .concat(wheelBets(rules).map(({ name }) => name));
  });
  const all = [...names, ...Object.values(PROTECTION_LIMITS), ...BREAKS, ...EXCLUSIONS];
  expect([...new Set(all)].filter((name) => !isTranslated(name) && !isTranslated(name.replace(/ 12$/, '')))).toEqual(
    [],
  );
});

/** One typed bet for each error of the grammar. */
const FAULTY = [
  '',
  '*',
  '1*',
  '1*0',
  '1*99999999',
  '((((((((((1',
  '(1',
  '1)',
  '()*5',
  '1-',
  '-1',
  '9-1',
  '1--2',
  '5,6,7 8',
  '1*2*3',
  '1=1,000',
  'sub',
  'perm',
  'perm x',
  'box',
  'box 1',
  'fp',
  'fp 123',
  'fp 12=5 bp 34',
  'fp 12 bp 34=5',
  '12.50',
  '12/34/56',
  '12-34-56',
  'red on 5',
  '5 each 6',
  '5 to 6',
  '5 and 6',
  '100rs',
  'rabit',
  'xyzzy',
  'K',
  'k6',
  'K60',
  'K60 andhar 42',
  'dozen 7',
  'column 9',
  'split 1-9',
  'street 2',
  'corner 1',
  'sixline 5',
  'neighbours 99',
  '112',
  '123',
  '1234',
  '9999',
  '7000',
  '00-99',
  '0-999',
  'red 5',
  '(1,2) 5',
  '(1,2)',
  'spbox 112',
  'dpbox 123',
  'spade heart',
  'odd*x',
  '1*2 3*',
  'K60 42*5 43',
];

it.each(FAMILIES)('says in Hindi what is wrong with a typed bet of %s', (family) => {
  const game = BUILT_IN_GAMES.find((each) => each.family === family)!;
  const rules = rulesFor({ ...game, pays: null });
  const limits = { qty: 1000, lines: 50 };
  const problems = FAULTY.flatMap((text) => expand(text, rules, limits).problems.map(({ message }) => message));
  expect(problems.length).toBeGreaterThan(20);
  const left = problems.filter((message) =>
    /\b(?:write|such as|for|this|bet|units|number|or)\b/i.test(hi.sharedText(message)),
  );
  expect([...new Set(left)]).toEqual([]);
});

it('translates refusals of the server by their code, and what is known of their message', () => {
  const { refusal, field } = hi.serverTexts;
  expect(refusal('INSUFFICIENT_CREDIT', 'Not enough credit.')).toBe('बैलेंस काफ़ी नहीं है।');
  expect(refusal('SOMETHING_NEW', 'Some text')).toBe('कुछ गड़बड़ हो गई');
  expect(refusal('OWN_LIMIT', 'Your limit is 100.00 points staked per day: 80.00 points are left today.')).toBe(
    'हर दिन के दाँव की आपकी लिमिट 100.00 पॉइंट है: आज 80.00 पॉइंट बाकी।',
  );
  expect(
    refusal(
      'ON_BREAK',
      "You are on a break until 10 March 2026 at 15:30 (Asia/Kolkata). You can't bet or change limits until then.",
    ),
  ).toBe('आप 10 मार्च 2026, 15:30 (Asia/Kolkata) तक ब्रेक पर हैं। तब तक आप बेट नहीं लगा सकते और लिमिट नहीं बदल सकते।');
  expect(field('Use at most 40 characters')).toBe('ज़्यादा से ज़्यादा 40 अक्षर लिखें');
  const { reasonNotText: _, wrongWall: __, ...ofPlayers } = PLAYER_FIELD_TEXTS;
  const { wrongSession: ___, ...ofPasswords } = PASSWORD_FIELD_TEXTS;
  for (const text of Object.values({ ...ofPlayers, ...ofPasswords, ...SIGN_IN_TEXTS }))
    expect(field(text)).not.toBe(field('Something else'));
  expect(field('Something else')).toBe('यह सही नहीं है');
});
