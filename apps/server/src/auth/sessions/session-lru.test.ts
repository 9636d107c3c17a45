import { beforeEach, expect, it } from 'vitest';
import { createSessionLru, type CachedSession, type SessionLru } from './session-cache.ts';

let known: SessionLru;
beforeEach(() => {
  known = createSessionLru(3);
});

const entry = (id: string, ...chain: string[]): CachedSession =>
  ({ session: { id, actor: { chain } }, createdAtMs: 0, lastUsedAtMs: 0, writtenAtMs: 0 }) as never;
const keep = (...entries: CachedSession[]): void => {
  for (const each of entries) known.keep(`token of ${each.session.id}`, each);
};
const those = (...ids: string[]): string[] =>
  ids.filter((id) => {
    const found = known.find(`token of ${id}`)?.session.id;
    expect(known.hasId(id)).toBe(found === id);
    return found === id;
  });

it('sessions are cached until they end, by id or ancestor', () => {
  keep(entry('a', 'top', 'one'), entry('b', 'top', 'one', 'two'), entry('c', 'top', 'other'));
  expect(those('a', 'b', 'c', 'd')).toEqual(['a', 'b', 'c']);
  known.forget({ ids: ['c', 'nobody'] });
  expect(those('a', 'b', 'c')).toEqual(['a', 'b']);
  known.forget({ below: 'two' });
  expect(those('a', 'b', 'c')).toEqual(['a']);
  known.forgetAll();
  expect(those('a', 'b', 'c')).toEqual([]);
});

it('the least recently used session is evicted first', () => {
  keep(entry('a'), entry('b'), entry('c'));
  known.find('token of a');
  keep(entry('d'));
  expect(those('a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd']);
  keep(entry('d'));
  expect(those('a', 'c', 'd')).toEqual(['a', 'c', 'd']);
  known.forget({ ids: ['d'] });
  expect(those('a', 'c', 'd')).toEqual(['a', 'c']);
});
