import * as fc from 'fast-check';
import { expect, test, vi, describe, it } from 'vitest';
import {
  findView,
  isSameView,
  parseViews,
  renamedView,
  viewsText,
  withoutView,
  withView,
  parseHidden,
  type SavedView,
} from './savedViews.ts';

vi.mock('../session/session.ts', () => ({
  getSession: () => null,
  onSession: () => undefined,
  noteServerDate: () => undefined,
}));

const view = (name: string, state: Record<string, string> = {}, hidden: string[] = []): SavedView => ({
  name,
  state,
  hidden,
});
const names = (views: readonly SavedView[]) => views.map(({ name }) => name);

test('views survive a round trip, whatever they contain', () => {
  const anyView = fc.record({
    name: fc.string(),
    state: fc.dictionary(fc.string(), fc.string()),
    hidden: fc.array(fc.string()),
  });
  fc.assert(
    fc.property(fc.array(anyView), (views) => {
      expect(parseViews(viewsText(views))).toEqual(views);
    }),
  );
});

test.each([null, '', '{', '7', 'null', '[null, 7, {"name": "x"}, {"state": {}}]'])('%s holds no view', (text) => {
  expect(parseViews(text)).toEqual([]);
});

test('drops non-text values stored by another release', () => {
  expect(parseViews('[{"name": "x", "state": {"a": "1", "b": 2}, "hidden": 5}]')).toEqual([view('x', { a: '1' })]);
});

test('a new view is sorted by name and replaces its namesake', () => {
  const views = withView(withView([view('North 10')], view(' north 2 ')), view('A'));
  expect(names(views)).toEqual(['A', 'north 2', 'North 10']);
  const replaced = withView(views, view('NORTH 2', { search: 'x' }));
  expect(names(replaced)).toEqual(['A', 'NORTH 2', 'North 10']);
  expect(findView(replaced, 'north 2')?.state).toEqual({ search: 'x' });
});

test('renaming a view replaces its namesake; deleting removes it', () => {
  const views = [view('a', { search: 'a' }), view('b')];
  expect(renamedView(views, 'a', 'c')).toEqual([view('b'), view('c', { search: 'a' })]);
  expect(renamedView(views, 'a', 'B')).toEqual([view('B', { search: 'a' })]);
  expect(renamedView(views, 'a', 'A')).toEqual([view('A', { search: 'a' }), view('b')]);
  expect(names(withoutView(views, 'A'))).toEqual(['b']);
  expect(renamedView(views, 'x', 'y')).toBe(views);
});

test('two views are equal if they show the same', () => {
  expect(isSameView(view('a', { x: '1', y: '2' }, ['c', 'd']), view('b', { y: '2', x: '1' }, ['d', 'c']))).toBe(true);
  expect(isSameView(view('a', { x: '1' }), view('a', { x: '2' }))).toBe(false);
  expect(isSameView(view('a', { x: '1' }), view('a', { x: '1', y: '2' }))).toBe(false);
  expect(isSameView(view('a', {}, ['c']), view('a', {}, ['d']))).toBe(false);
});

describe("a list's hidden columns", () => {
  it('survive a round trip', () => {
    expect(parseHidden('["refId","createdAt"]')).toEqual(new Set(['refId', 'createdAt']));
  });

  it.each([null, '', '{', '{"refId":true}', '[1,null]'])('are none if %s was stored', (text) => {
    expect(parseHidden(text).size).toBe(0);
  });
});
