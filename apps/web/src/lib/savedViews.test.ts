import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findView, isSameView, parseViews, renamedView, viewsText, withoutView, withView } from './savedViews.ts';
import type { SavedView } from './savedViews.ts';

const view = (name: string, state: Record<string, string> = {}, hidden: string[] = []): SavedView => ({
  name,
  state,
  hidden,
});
const names = (views: readonly SavedView[]) => views.map(({ name }) => name);

test('views are kept and read alike, whatever they hold', () => {
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

test('of a view that was kept by another release, what is no text is left out', () => {
  expect(parseViews('[{"name": "x", "state": {"a": "1", "b": 2}, "hidden": 5}]')).toEqual([view('x', { a: '1' })]);
});

test('a view is added in the order of names, and takes the place of one of its name', () => {
  const views = withView(withView([view('North 10')], view(' north 2 ')), view('A'));
  expect(names(views)).toEqual(['A', 'north 2', 'North 10']);
  const replaced = withView(views, view('NORTH 2', { search: 'x' }));
  expect(names(replaced)).toEqual(['A', 'NORTH 2', 'North 10']);
  expect(findView(replaced, 'north 2')?.state).toEqual({ search: 'x' });
});

test('a view is renamed and deleted; another of the new name gives way', () => {
  const views = [view('a', { search: 'a' }), view('b')];
  expect(renamedView(views, 'a', 'c')).toEqual([view('b'), view('c', { search: 'a' })]);
  expect(renamedView(views, 'a', 'B')).toEqual([view('B', { search: 'a' })]);
  expect(renamedView(views, 'a', 'A')).toEqual([view('A', { search: 'a' }), view('b')]);
  expect(names(withoutView(views, 'A'))).toEqual(['b']);
  expect(renamedView(views, 'x', 'y')).toBe(views);
});

test('two views are the same by what they show', () => {
  expect(isSameView(view('a', { x: '1', y: '2' }, ['c', 'd']), view('b', { y: '2', x: '1' }, ['d', 'c']))).toBe(true);
  expect(isSameView(view('a', { x: '1' }), view('a', { x: '2' }))).toBe(false);
  expect(isSameView(view('a', { x: '1' }), view('a', { x: '1', y: '2' }))).toBe(false);
  expect(isSameView(view('a', {}, ['c']), view('a', {}, ['d']))).toBe(false);
});
