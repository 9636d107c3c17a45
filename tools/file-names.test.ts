import { expect, it } from 'vitest';
import { checkFileNames } from './file-names.ts';

const found = (...paths: string[]) => checkFileNames(paths.map((path) => ({ path }))).map(({ path }) => path);

it('finds both files of one name, in whatever folders', () => {
  expect(found('a/tables.ts', 'b/c/tables.ts', 'b/tables.test.ts')).toEqual(['a/tables.ts', 'b/c/tables.ts']);
});

it('leaves names alone that are those of tools', () => {
  expect(found('package.json', 'apps/web/package.json', 'tsconfig.json', 'a/tsconfig.json')).toEqual([]);
});
