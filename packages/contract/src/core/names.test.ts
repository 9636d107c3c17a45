import { describe, expect, it } from 'vitest';
import { username } from '../accounts/accounts.ts';
import { login } from '../auth/auth.ts';
import { gameChange, newGame } from '../games/game-catalogue.ts';
import { requiredName } from './names.ts';

const name = requiredName('Name is required', 20);
const messageOf = (schema: typeof name, text: unknown): string | undefined => {
  const parsed = schema.safeParse(text);
  return parsed.success ? undefined : parsed.error.issues[0]!.message;
};
const INVISIBLE = 'Remove invisible characters, such as zero-width spaces and direction marks';

describe('a name', () => {
  it.each([
    ['Lucky 12', 'Lucky 12'],
    ['  Ｌｕｃｋｙ　１２　', 'Lucky 12'],
    ['ﬁsh', 'fish'],
    ['Cafe\u0301', 'Café'],
    ['लकी १२', 'लकी १२'],
    ['Игра Lucky', 'Игра Lucky'],
    ['Άλφα-Omega', 'Άλφα-Omega'],
    ['日本ABC', '日本ABC'],
  ])('%j becomes %j', (text, kept) => {
    expect(name.parse(text)).toBe(kept);
  });

  it.each(
    [
      [0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
      [0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0x00ad, 0x061c, 0x180e, 0xfeff],
      [0x034f, 0x115f, 0x3164, 0xfe0f, 0x0009, 0x0085, 0x2028, 0xfff9, 0xe0041],
    ]
      .flat()
      .map((code) => [code.toString(16)]),
  )('excludes U+%s', (code) => {
    expect(messageOf(name, `Luc${String.fromCodePoint(Number.parseInt(code, 16))}ky`)).toBe(INVISIBLE);
  });

  it.each([
    ['Luсky', 'Luсky'],
    ['The Gаme', 'Gаme'],
    ['Alphα', 'Alphα'],
    ['e\u0301т', 'éт'],
    ['ｘж', 'xж'],
  ])('%j must be of one script', (text, word) => {
    expect(messageOf(name, text)).toBe(
      `Use one script in “${word}”: it mixes Latin letters with Greek or Cyrillic ones`,
    );
  });

  it('is measured after normalization and must not be empty', () => {
    expect(messageOf(name, '   ')).toBe('Name is required');
    expect(messageOf(name, undefined)).toBe('Name is required');
    expect(messageOf(name, '\uFDFA')).toBeUndefined();
    expect(messageOf(name, '\uFDFA'.repeat(2))).toBe('Use at most 20 characters');
  });
});

it('names of accounts, games and publishers are normalized', () => {
  expect(username.parse('ａｎｎａ．Ｋ')).toBe('anna.K');
  expect(messageOf(username, 'an\u200Bna')).toBe(INVISIBLE);
  expect(messageOf(username, 'аnna')).toContain('Use one script');
  for (const schema of [newGame.shape.gameName, newGame.shape.publisher, gameChange.shape.gameName]) {
    expect(schema.parse('Ｌｕｃｋｙ')).toBe('Lucky');
    expect(schema.safeParse('Luс\u200Bky').success).toBe(false);
  }
  expect(gameChange.shape.publisher.parse('Ｌｕｃｋｙ')).toBe('Lucky');
});

it('sign-in normalizes the name and requires nothing else', () => {
  const named = (text: string) => login.body!.parse({ username: text, password: 'long enough' }).username;
  expect(named(' ＡＮＮＡ ')).toBe('ANNA');
  expect(named('an\u200Bnа')).toBe('an\u200Bnа');
});
