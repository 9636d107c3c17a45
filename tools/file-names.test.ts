import { expect, it } from 'vitest';
import { checkFileNames } from './file-names.ts';

const found = (...paths: string[]) => checkFileNames(paths.map((path) => ({ path }))).map(({ path }) => path);

it('finds both files of one name, in whatever folders', () => {
  expect(found('a/tables.ts', 'b/c/tables.ts', 'b/tables.test.ts')).toEqual(['a/tables.ts', 'b/c/tables.ts']);
});

it('leaves names alone that are those of tools', () => {
  expect(found('package.json', 'apps/web/package.json', 'tsconfig.json', 'a/tsconfig.json')).toEqual([]);
});

it('finds scripts of one floor whose names differ by case, dashes and ending alone', () => {
  expect(found('apps/web/src/a/CreditForm.tsx', 'apps/web/src/b/creditForm.ts')).toEqual([
    'apps/web/src/a/CreditForm.tsx',
    'apps/web/src/b/creditForm.ts',
  ]);
  expect(found('tools/signed-in.ts', 'tools/setup/signedIn.mjs')).toHaveLength(2);
});

it('leaves them alone on two floors, and names that say more', () => {
  expect(found('apps/server/src/pay-commission.ts', 'apps/web/src/payCommission.ts')).toEqual([]);
  expect(found('apps/server/src/a.ts', 'apps/server/src/a.routes.ts', 'apps/server/src/a.test.ts')).toEqual([]);
  expect(found('apps/web/src/Mark.tsx', 'apps/web/src/mark.svg', 'apps/web/src/Mark.module.css')).toEqual([]);
});
