import { expect } from 'vitest';

export type Leaf = readonly [path: string, english: unknown, other: unknown];

export function leavesOf(path: string, english: unknown, other: unknown): Leaf[] {
  if (typeof english !== 'object' || english === null) return [[path, english, other]];
  return Object.entries(english).flatMap(([key, value]) =>
    leavesOf(`${path}.${key}`, value, (other as Record<string, unknown> | undefined)?.[key]),
  );
}

/** Each text must exist, in the letters of the language, with the `{name}` placeholders of English. */
export function expectSamePlaces(leaves: readonly Leaf[], letters: RegExp): void {
  expect(leaves.filter(([, one, other]) => typeof one !== typeof other).map(([path]) => path)).toEqual([]);
  const placesIn = (text: unknown) =>
    String(text)
      .match(/\{\w+\}/g)
      ?.toSorted() ?? [];
  for (const [path, one, other] of leaves) {
    if (typeof one !== 'string') continue;
    expect(placesIn(other), `places of ${path}`).toEqual(placesIn(one));
    if (/[A-Za-z]{2}/.test(one.replaceAll(/\{\w+\}/g, ''))) expect(other, `letters of ${path}`).toMatch(letters);
  }
}

const FACTS = { count: 12, first: 'Rose', last: 'Cow', isNamed: true, table: 36, zeros: ['0', '00'] };
const PARTS = { drawn: 'A', placed: 'B', bets: 'C', index: 3, size: 44, steps: 5 };
const SAMPLES: readonly (readonly [unknown, unknown])[] = [
  [3, 4567],
  ['2026-03-04T05:06:07Z', '2025-11-12T13:14:15Z'],
  ['one', 'other'],
  [FACTS, { ...FACTS, count: 13, first: 'Sun', table: 12, zeros: ['0'] }],
  [PARTS, { drawn: 'D', placed: 'E', bets: 'F', index: 6, size: 77, steps: 8 }],
];

type Shown = (...input: readonly unknown[]) => unknown;

function inputsOf(text: Shown): (readonly [unknown, unknown])[] {
  const kinds = Array.from({ length: text.length }).reduce<(readonly [unknown, unknown])[][]>(
    (all) => all.flatMap((before) => SAMPLES.map((kind) => [...before, kind])),
    [[]],
  );
  const fits = kinds.find((chosen) => {
    try {
      return !/undefined|NaN|null|object Object|Invalid/.test(JSON.stringify(text(...chosen.map(([value]) => value))));
    } catch {
      return false;
    }
  });
  if (!fits) throw new Error(`No input fits ${text.toString()}`);
  return fits;
}

/** Each function must name in both languages what depends on its input. Returns the number of functions. */
export function expectSameInput(leaves: readonly Leaf[]): number {
  const functions = leaves.filter(([, english]) => typeof english === 'function') as [string, Shown, Shown][];
  for (const [path, english, other] of functions) {
    const kinds = inputsOf(english);
    const firsts = kinds.map(([value]) => value);
    for (const [place, [, second]] of kinds.entries()) {
      const changes = (text: Shown) =>
        JSON.stringify(text(...firsts)) !== JSON.stringify(text(...firsts.with(place, second)));
      expect(changes(other), `input ${place + 1} of ${path}`).toBe(changes(english));
    }
  }
  return functions.length;
}
