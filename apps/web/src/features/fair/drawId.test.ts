import { expect, it } from 'vitest';
import { isDrawId, readDrawId } from './drawId.ts';

const ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';

it('recognizes a draw id and finds it in pasted text', () => {
  expect(isDrawId(ID)).toBe(true);
  for (const text of ['', '7', `${ID}0`, ` ${ID}`, ID.slice(1), ID.replace('b', 'g')])
    expect(isDrawId(text)).toBe(false);
  for (const text of [ID, ` ${ID}\n`, `https://a.example/fair/${ID}?x=1`, `/api/fair/draw/${ID}`, ID.toUpperCase()])
    expect(readDrawId(text)).toBe(ID);
  for (const text of ['', '29922005', ID.replaceAll('-', '')]) expect(readDrawId(text)).toBeNull();
});
