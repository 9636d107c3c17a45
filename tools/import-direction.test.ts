import { describe, expect, it } from 'vitest';
import {
  checkImports,
  checkMap,
  checkPlaces,
  drawMap,
  forbiddenImportReason,
  serverComposition,
  serverOrder,
} from './import-direction.ts';
import { root } from './run.ts';
import { readSources, sourceFile } from './source.ts';

function found(tree: Record<string, string>): string[] {
  const files = Object.entries(tree).map(([path, text]) => sourceFile(path, text));
  return checkImports(files).map(({ path, line, rule }) => `${rule} ${path}:${line}`);
}

const server = (path: string) => `apps/server/src/${path}`;
const web = (path: string) => `apps/web/src/${path}`;
const players = (path: string) => `apps/players/src/${path}`;

describe('packages', () => {
  it.each([
    ['packages/rules/src/a.ts', 'packages/rules/src/b.ts', true],
    ['packages/rules/src/a.ts', 'packages/contract/src/b.ts', false],
    ['packages/contract/src/a.ts', 'packages/rules/src/b.ts', false],
    ['packages/session/src/a.ts', 'packages/contract/src/b.ts', true],
    ['packages/session/src/a.ts', 'packages/rules/src/b.ts', false],
    ['packages/contract/src/a.ts', 'packages/session/src/b.ts', false],
    ['packages/tlog/src/a.ts', 'packages/rules/src/b.ts', true],
    ['packages/tlog/src/a.ts', 'packages/contract/src/b.ts', false],
    ['packages/rules/src/a.ts', 'packages/tlog/src/b.ts', false],
    ['packages/contract/src/a.test.ts', server('compose/app.ts'), false],
    ['packages/rules/src/a.ts', web('lib/a.ts'), false],
  ])('%s imports %s: %s', (from, to, may) => expect(forbiddenImportReason(from, to) === undefined).toBe(may));
});

describe('server', () => {
  it.each([
    ['tickets/a.ts', 'ledger/b.ts', true],
    ['tickets/a.ts', 'tickets/b.ts', true],
    ['ledger/a.ts', 'tickets/b.ts', false],
    ['tickets/a.ts', 'platform/db/b.ts', true],
    ['platform/db/a.ts', 'ledger/b.ts', false],
    ['platform/http/a.ts', 'auth/b.ts', false],
    ['platform/http/a.ts', 'platform/db/b.ts', true],
    ['config/a.ts', 'platform/db/a.ts', false],
    ['tickets/a.ts', 'compose/app.ts', false],
    ['tickets/a.ts', 'reports/b.ts', false],
    ['compose/app.ts', 'reports/b.ts', true],
    ['operations/a.ts', 'backup/b.ts', true],
    ['main.ts', 'compose/app.ts', true],
    ['commands/a.ts', 'ledger/b.ts', true],
    ['audit/a.ts', 'platform/db/b.ts', true],
    ['audit/a.ts', 'platform/http/b.ts', false],
    ['ledger/a.test.ts', 'tickets/b.ts', true],
    ['commands/a.ts', 'transparency/transparency.ts', true],
    ['commands/a.ts', 'transparency/seal/a.ts', false],
    ['transparency/a.ts', 'transparency/seal/a.ts', true],
  ])('%s imports %s: %s', (from, to, may) =>
    expect(forbiddenImportReason(server(from), server(to)) === undefined).toBe(may),
  );

  it('imports packages, but neither web nor its own tests', () => {
    expect(forbiddenImportReason(server('tickets/a.ts'), 'packages/rules/src/a.ts')).toBeUndefined();
    expect(forbiddenImportReason(server('tickets/a.ts'), web('lib/a.ts'))).toContain('imports only the packages');
    expect(forbiddenImportReason(server('tickets/a.ts'), 'apps/server/test/harness.ts')).toContain('its tests');
    expect(forbiddenImportReason('apps/server/test/harness.ts', server('compose/app.ts'))).toBeUndefined();
  });

  it('suggests a remedy', () => {
    expect(forbiddenImportReason(server('ledger/a.ts'), server('tickets/b.ts'))).toBe(
      'ledger stands before tickets in serverOrder: let tickets call ledger, or pass in a function from app.ts',
    );
  });

  it('requires a place for a new folder, reported once', () => {
    expect(found({ [server('lottery/a.ts')]: '', [server('lottery/b.ts')]: '', [server('misc.ts')]: '' })).toEqual([
      'place-in-order apps/server/src/lottery/a.ts:1',
      'place-in-order apps/server/src/misc.ts:1',
    ]);
  });
});

describe('web', () => {
  it.each([
    ['features/credit/a.tsx', 'features/credit/b.tsx', true],
    ['features/credit/a.tsx', 'features/accounts/b.tsx', false],
    ['features/credit/a.tsx', 'ui/b.tsx', true],
    ['features/credit/a.tsx', 'lib/api.ts', true],
    ['features/credit/a.tsx', 'app/router.tsx', false],
    ['ui/a.tsx', 'lib/formats.ts', true],
    ['ui/a.tsx', 'lib/api.ts', false],
    ['ui/a.tsx', 'lib/api/client.ts', false],
    ['ui/a.tsx', 'features/credit/b.tsx', false],
    ['lib/a.ts', 'ui/b.tsx', false],
    ['lib/a.ts', 'lib/b.ts', true],
    ['app/a.tsx', 'features/credit/b.tsx', true],
    ['main.tsx', 'app/a.tsx', true],
    ['lib/a.ts', 'commonTexts.ts', true],
    ['commonTexts.ts', 'lib/a.ts', false],
  ])('%s imports %s: %s', (from, to, may) => expect(forbiddenImportReason(web(from), web(to)) === undefined).toBe(may));

  it('imports packages, never the server', () => {
    expect(forbiddenImportReason(web('lib/a.ts'), 'packages/contract/src/a.ts')).toBeUndefined();
    expect(forbiddenImportReason(web('lib/a.ts'), server('compose/app.ts'))).toContain('imports only the packages');
  });

  it('allows no other folders', () => {
    expect(found({ [web('utils/a.ts')]: '' })).toEqual(['place-in-order apps/web/src/utils/a.ts:1']);
  });
});

describe('players', () => {
  it.each([
    ['lobby/a.tsx', 'lobby/b.tsx', true],
    ['lobby/a.tsx', 'play/b.tsx', false],
    ['lobby/a.tsx', 'ui/b.tsx', true],
    ['play/a.tsx', 'lib/b.ts', true],
    ['lobby/a.tsx', 'shell/b.tsx', false],
    ['ui/a.tsx', 'lib/b.ts', true],
    ['ui/a.tsx', 'lobby/b.tsx', false],
    ['lib/a.ts', 'ui/b.tsx', false],
    ['worker/a.ts', 'lib/b.ts', false],
    ['shell/a.tsx', 'account/b.tsx', true],
    ['players.tsx', 'shell/b.tsx', true],
  ])('%s imports %s: %s', (from, to, may) =>
    expect(forbiddenImportReason(players(from), players(to)) === undefined).toBe(may),
  );

  it('imports packages, nothing of the back-office, and is not imported by it', () => {
    expect(forbiddenImportReason(players('lib/a.ts'), 'packages/contract/src/a.ts')).toBeUndefined();
    expect(forbiddenImportReason(players('lib/a.ts'), web('lib/a.ts'))).toContain('imports only the packages');
    expect(forbiddenImportReason(web('lib/a.ts'), players('lib/a.ts'))).toContain('imports only the packages');
    expect(forbiddenImportReason('apps/web/vite.config.ts', 'tools/setup/lean-packages.ts')).toBeUndefined();
    expect(forbiddenImportReason(web('lib/a.ts'), 'tools/setup/lean-packages.ts')).toContain(
      'imports only the packages',
    );
  });

  it('allows no other folders', () => {
    expect(found({ [players('utils/a.ts')]: '' })).toEqual(['place-in-order apps/players/src/utils/a.ts:1']);
  });
});

describe('checkImports', () => {
  it('reads every form of import, including types and packages', () => {
    const text = [
      "import '../tickets/a.ts';",
      "import type { A } from '../tickets/a.ts';",
      "import {\n  b,\n} from '../tickets/a.ts';",
      "export { c } from '../tickets/a.ts';",
      "const d = await import('../tickets/a.ts');",
      "// import '../tickets/a.ts';",
      "import { e } from '@drawhouse/contract/core/errors';",
      "import { f } from '@drawhouse/web/f';",
    ].join('\n');
    const lines = found({ [server('ledger/post.ts')]: text }).map((one) => one.split(':')[1]);
    expect(lines).toEqual(['1', '2', '5', '6', '7', '10']);
  });

  it('refuses aliases', () => {
    expect(found({ [web('lib/a.ts')]: "import { b } from '@/ui/b';" })).toEqual([
      'relative-imports apps/web/src/lib/a.ts:1',
    ]);
  });

  it('reports a cycle once, also through types and without extensions', () => {
    const tree = {
      [web('ui/a.tsx')]: "import { b } from './b';",
      [web('ui/b.tsx')]: "\nimport type { C } from './c.tsx';",
      [web('ui/c.tsx')]: "import { a } from './a.tsx';",
      [web('ui/d.tsx')]: "import { a } from './a.tsx';",
    };
    expect(found(tree)).toEqual(['no-cycles apps/web/src/ui/c.tsx:1']);
  });

  it('refuses barrel files', () => {
    expect(
      found({
        [server('ledger/index.ts')]: "// all\nexport * from './post.ts';\nexport { type A, b } from './balance.ts';\n",
        [server('credit/index.ts')]: "export * from './a.ts';\nexport const b = 1;\n",
      }),
    ).toEqual(['no-barrels apps/server/src/ledger/index.ts:1']);
  });
});

describe('checkPlaces', () => {
  it('refuses a place without files', () => {
    const all = [
      ...[...serverOrder, ...serverComposition, 'audit'].map((place) =>
        server(place.includes('.') ? place : `${place}/a.ts`),
      ),
      ...['firstTexts.ts', 'commonTexts.ts', 'lib/a.ts', 'ui/a.tsx', 'features/credit/a.tsx', 'app/a.tsx'].map(web),
      ...['worker', 'languages', 'lib', 'ui', 'shell', 'house', 'sign-in', 'welcome', 'lobby', 'play', 'account'].map(
        (place) => players(`${place}/a.ts`),
      ),
    ].map((path) => ({ path }));
    const without = (gone: string) =>
      checkPlaces(all.filter(({ path }) => path !== gone)).map(({ message }) => message);

    expect(without('')).toEqual([]);
    expect(without(server('ledger/a.ts'))).toEqual([
      'apps/server/src/ledger is in the order but does not exist: remove it',
    ]);
    expect(without(server('main.ts'))).toEqual([
      'apps/server/src/main.ts is in the order but does not exist: remove it',
    ]);
    expect(without(web('ui/a.tsx'))).toEqual(['apps/web/src/ui is in the order but does not exist: remove it']);
  });
});

describe('the map', () => {
  it('has every place of the server', () => {
    const map = drawMap();
    for (const place of serverOrder) if (!place.includes('.')) expect(map).toContain(`\n  ${place} `);
  });

  it('names only files that exist', () => {
    expect(checkMap([]).map(({ message }) => message)).toContain(
      'the row of tickets names place/take-batch.ts, which does not exist: name the file that replaced it',
    );
    expect(checkMap(readSources(root))).toEqual([]);
  });
});
