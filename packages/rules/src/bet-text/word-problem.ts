import { joinNames } from '../games/families/bet-fields.ts';
import type { GameRules } from '../games/game-rules.ts';
import { signsBetween } from './expand-numbers.ts';
import type { ParserState } from './parser-state.ts';
import type { Token } from './tokens.ts';

type Examples = { readonly one: string; readonly list: string; readonly range: string };

const MOST_NAMED = 3;
const CURRENCY = String.raw`(?:rs|inr|rupees?|points?|pts?|units?|coins?|chips?|₹|/-)\.?`;
const WITH_CURRENCY = new RegExp(String.raw`^(?:${CURRENCY}\d*|\d+${CURRENCY})$`, 'i');

const SPOKEN: readonly { readonly words: readonly string[]; readonly correction: (examples: Examples) => string }[] = [
  {
    words: ['on', 'at', 'par', 'pe'],
    correction: ({ one }) => `Write the bet first, then * and its units, such as ${one}.`,
  },
  {
    words: ['each', 'every', 'all', 'ka', 'ke', 'ki', 'for'],
    correction: ({ list }) => `For the same units on each, write = and the units after the numbers, such as ${list}.`,
  },
  { words: ['to', 'till', 'until', 'se'], correction: ({ range }) => `Write a range with a dash, such as ${range}.` },
  { words: ['and', '&', 'or', 'aur', '+'], correction: ({ list }) => `Write a comma between bets, such as ${list}.` },
];

export function wordProblem({ rules, words }: ParserState, { text }: Token): string {
  const signs = signsBetween(text);
  if (signs) return signs;
  const examples = examplesOf(rules);
  const word = text.toLowerCase();
  const spoken = SPOKEN.find((each) => each.words.includes(word));
  if (spoken) return spoken.correction(examples);
  if (WITH_CURRENCY.test(word)) return `Write the units as a number alone, after a *, such as ${examples.one}.`;
  const near = words.names.filter((name) => isNear(word, name.toLowerCase()));
  if (near.length > 0 && near.length <= MOST_NAMED) return `Did you mean ${joinNames(near)}? ${words.help}`;
  return `This game has no such bet. ${words.help}`;
}

function examplesOf({ family, outcomes }: GameRules): Examples {
  switch (family) {
    case 'roulette':
      return { one: 'red*5', list: '7,8=5', range: '3-7*1' };
    case 'andarbahar':
      return { one: 'K*5', list: 'K,Q=5', range: '2-5*1' };
    case 'triple':
    case 'lottery3d':
      return { one: '123*5', list: '123,456=5', range: '120-129*1' };
    case 'lottery4d':
      return { one: '1042*5', list: '1042,3042=5', range: '1000-1009*1' };
    case 'jodi':
      return { one: 'K60 42*5', list: 'K60 42,21=5', range: 'K60 10-19*1' };
    case 'numbers': {
      const [a, b] = [outcomes[0]!.label, outcomes.at(-1)!.label];
      return { one: `${a}*5`, list: `${a},${b}=5`, range: `${outcomes[0]!.drawno}-${outcomes.at(-1)!.drawno}*1` };
    }
  }
}

/** True for at most one letter wrong, missing or extra, or two swapped. */
function isNear(word: string, name: string): boolean {
  if (word.length < 3 || Math.abs(word.length - name.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === name[start]) start++;
  const [rest, other] = [word.slice(start), name.slice(start)];
  return (
    rest.slice(1) === other.slice(1) ||
    rest.slice(1) === other ||
    rest === other.slice(1) ||
    (rest.slice(2) === other.slice(2) && rest[0] === other[1] && rest[1] === other[0])
  );
}
