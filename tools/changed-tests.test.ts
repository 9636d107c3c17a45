import { expect, it } from 'vitest';
import { selectTests } from './changed-tests.ts';
import { sourceFile } from './source.ts';

const files = Object.entries({
  'apps/server/src/ledger/post.ts': '',
  'apps/server/src/ledger/post.test.ts': "import { post } from './post.ts';",
  'apps/server/src/credit/transfer.ts': "import { post } from '../ledger/post.ts';",
  'apps/server/src/app.ts': "import { transfer } from './credit/transfer.ts';",
  'apps/server/src/db/migrate.ts': '',
  'apps/server/migrations/0001-all.sql': '',
  'apps/server/test/harness.ts': "import { createApp } from '../src/app.ts'; import '../src/db/migrate.ts';",
  'apps/server/src/credit/credit.test.ts': "import { TestApp } from '../../test/harness.ts'; import './transfer.ts';",
  'apps/server/src/tickets/many-bets.test.ts': "import { TestApp } from '../../test/harness.ts';",
  'apps/server/src/live/live.test.ts': "import { TestApp } from '../../test/harness.ts';",
  'apps/server/test/crash.long.test.ts': "import { TestApp } from './harness.ts';",
  'packages/rules/src/wins.test.ts': '',
  'apps/web/e2e/story.spec.ts': '',
}).map(([path, text]) => sourceFile(path, text));
const POST = 'apps/server/src/ledger/post.ts';
const NEAREST = 'apps/server/src/ledger/post.test.ts';

it('takes the tests that reach what has changed, the nearest first and of these the quickest', () => {
  const times = { 'apps/server/src/tickets/many-bets.test.ts': 200, 'apps/server/src/live/live.test.ts': 100 };
  const { tests, leftOut } = selectTests(files, [POST], times);
  expect(tests.map((file) => file.split('/').at(-1))).toEqual([
    'post.test.ts',
    'credit.test.ts',
    'live.test.ts',
    'many-bets.test.ts',
  ]);
  expect(leftOut).toBe(0);
});

it('takes those that are named for a feature before others that are as near', () => {
  const { tests } = selectTests(files, ['apps/server/src/app.ts', 'apps/server/src/live/rooms.ts'], {});
  expect(tests[0]).toBe('apps/server/src/live/live.test.ts');
});

it('leaves out what would take too long, and says how many files that is', () => {
  const long = { 'apps/server/src/credit/credit.test.ts': 3_600_000 };
  expect(selectTests(files, [POST], long)).toEqual({ tests: [NEAREST], specs: [], leftOut: 3 });
});

it('takes at least the nearest, however long it is', () => {
  const { tests } = selectTests(files, [POST], { [NEAREST]: 3_600_000 });
  expect(tests).toEqual([NEAREST]);
});

it('knows what reads a file that nobody imports', () => {
  const { tests } = selectTests(files, ['apps/server/migrations/0001-all.sql'], {});
  expect(tests).toHaveLength(3);
});

it('takes of the browser tests those that were changed, and nothing for what no test reaches', () => {
  const none = { tests: [], leftOut: 0 };
  expect(selectTests(files, ['apps/web/e2e/story.spec.ts'], {})).toEqual({
    ...none,
    specs: ['apps/web/e2e/story.spec.ts'],
  });
  expect(selectTests(files, ['README.md', 'gone.ts'], {})).toEqual({ ...none, specs: [] });
});
