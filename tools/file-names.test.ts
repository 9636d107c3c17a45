import { expect, it } from 'vitest';
import { checkFileNames } from './file-names.ts';

const found = (...paths: string[]) => checkFileNames(paths.map((path) => ({ path }))).map(({ path }) => path);

it('reports both files of one name in a feature, on any shelves', () => {
  const twins = ['apps/server/src/draws/seed/read.ts', 'apps/server/src/draws/results/read.ts'];
  expect(found(...twins, 'apps/server/src/draws/read.test.ts')).toEqual(twins);
});

it('allows one name in two features', () => {
  expect(found('apps/server/src/draws/read.ts', 'apps/server/src/tickets/read.ts')).toEqual([]);
  expect(found('apps/web/src/features/draws/texts.ts', 'apps/web/src/features/tickets/texts.ts')).toEqual([]);
  expect(found('apps/server/src/platform/db/texts.ts', 'apps/server/src/platform/http/texts.ts')).toEqual([]);
});

it('allows conventional names of tools', () => {
  expect(found('package.json', 'apps/web/package.json', 'tsconfig.json', 'a/tsconfig.json')).toEqual([]);
});

it('reports scripts of one feature that differ only by case, dashes or ending', () => {
  expect(found('apps/web/src/ui/CreditForm.tsx', 'apps/web/src/ui/form/creditForm.ts')).toEqual([
    'apps/web/src/ui/CreditForm.tsx',
    'apps/web/src/ui/form/creditForm.ts',
  ]);
  expect(found('tools/signed-in.ts', 'tools/setup/signedIn.mjs')).toHaveLength(2);
});

it('allows them in two features, and names that say more', () => {
  expect(found('apps/server/src/pay-commission.ts', 'apps/web/src/payCommission.ts')).toEqual([]);
  expect(found('apps/server/src/a.ts', 'apps/server/src/a.routes.ts', 'apps/server/src/a.test.ts')).toEqual([]);
  expect(found('apps/web/src/Mark.tsx', 'apps/web/src/mark.svg', 'apps/web/src/Mark.module.css')).toEqual([]);
});
