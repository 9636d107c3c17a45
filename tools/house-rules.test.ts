import { describe, expect, it } from 'vitest';
import { checkHouseRules, houseRules } from './house-rules.ts';
import { sourceFile } from './source.ts';

function broken(path: string, text: string): string[] {
  return checkHouseRules([sourceFile(path, text)]).map(({ rule, line }) => `${rule}:${line}`);
}

const server = 'apps/server/src/tickets/place/take-batch.ts';
const test = 'apps/server/src/tickets/take-batch.test.ts';
const rules = 'packages/rules/src/odds.ts';
const note = ['TO', 'DO'].join('');
const registry = ['registry', 'npmjs', 'org'].join('.');
const timers = ['timers', 'promises'].join('/');
const home = ['', 'home', 'me'].join('/');

const samples: Record<string, { bad: [path: string, text: string][]; good: [path: string, text: string][] }> = {
  'exact-credit': {
    bad: [
      [server, 'const a = parseFloat(b);'],
      [server, 'a.toFixed(2);'],
      [server, 'Number(row.balance);'],
    ],
    good: [
      ['packages/contract/src/core/hundredths.ts', 'return Number(value) / 100;'],
      [server, 'Number(row.count); Number(pointsOf(x));'],
    ],
  },
  'one-conversion': {
    bad: [
      [server, 'const points = value / 100;'],
      [server, 'const value = a*100;'],
      ['apps/web/src/ui/Money.tsx', '<b>{value / 100}</b>'],
    ],
    good: [
      ['packages/contract/src/core/hundredths.ts', 'return Number(value) / 100;'],
      [rules, 'const laid = outcomes * 100;'],
      [server, 'const a = b / 1000; const c = b * 100.5; const d = e * 100n; // a / 100'],
      ['apps/web/src/ui/Bar.tsx', 'const width = `${share * 100}%`; const text = `${Math.round(share * 100)} %`;'],
      [test, 'expect(a / 100)'],
    ],
  },
  'given-clock': {
    bad: [
      [server, 'Date.now();'],
      [server, 'const now = new Date();'],
    ],
    good: [
      [server, 'clock.now(); new Date(clock.now()); // not Date.now()'],
      ['apps/server/src/platform/time/clock.ts', 'Date.now()'],
      [test, 'new Date()'],
    ],
  },
  'no-sleep': {
    bad: [
      [server, 'await new Promise((resolve) => setTimeout(resolve, 10));'],
      [server, 'new Promise((r) => setTimeout(() => r(), 10))'],
    ],
    good: [[server, 'const timer = setTimeout(tick, 10);']],
  },
  'no-sleep-in-tests': {
    bad: [
      [test, 'await new Promise((resolve) => setTimeout(resolve, 10));'],
      ['apps/web/e2e/story.spec.ts', 'await page.waitForTimeout(100);'],
    ],
    good: [[test, 'await clock.move(10);']],
  },
  'no-timer-promises': {
    bad: [[test, `import { setTimeout } from 'node:${timers}';`]],
    good: [[test, "import { clock } from './harness.ts';"]],
  },
  'no-math-random': {
    bad: [
      [server, 'Math.random()'],
      [rules, 'Math.random()'],
    ],
    good: [
      [server, 'randomUUID(); // never Math.random'],
      ['apps/web/src/ui/Confetti.tsx', 'Math.random()'],
    ],
  },
  'pure-packages': {
    bad: [
      [rules, "import { randomBytes } from 'node:crypto';"],
      [rules, 'crypto.getRandomValues(bytes)'],
    ],
    good: [
      [rules, "import { sha256 } from '@noble/hashes/sha2.js'; new Date(0)"],
      [server, "import { randomBytes } from 'node:crypto';"],
    ],
  },
  'database-in-db': {
    bad: [
      [server, 'pool.query(sql)'],
      [server, "import { Pool } from 'pg';"],
      [server, 'new Pool({})'],
    ],
    good: [
      [server, 'tx.query(sql)'],
      ['apps/server/src/platform/db/pool.ts', "import { Pool } from 'pg'; new Pool(); pool.query(sql)"],
    ],
  },
  'sql-by-tag': {
    bad: [
      ['apps/server/src/lists/read.ts', "on.query('select 1')"],
      ['apps/server/src/lists/read.ts', 'on.query<{ id: Map<string, bigint> }>(\n  `select $1`, [1])'],
      ['apps/server/src/lists/read.ts', "import { sql } from 'kysely';"],
      [server, "client.query('analyze')"],
      [server, 'readPages(db, `select d.id from draws d`)'],
      [server, "const LOCK = 'lock table draws';"],
      [server, 'const TREE = `with recursive tree as (select 1)`;'],
      [server, 'check(db, `\n  wrong as materialized (select 1)`)'],
    ],
    good: [
      ['apps/server/src/lists/read.ts', 'on.query(sql`select ${1}`)'],
      [server, "client.query(sql`analyze`); const a = sql`wrong as (select 'select')`; const text = 'with the week';"],
      ['apps/server/src/lists/read.test.ts', "on.query('select 1')"],
      ['apps/server/src/platform/db/database.ts', "client.query('commit')"],
    ],
  },
  'authority-of-callers': {
    bad: [
      [server, 'authority: sql`true` as Predicate,'],
      [server, 'authority: (sql`true` as unknown as Predicate),'],
      [server, "ofNetworks('t', [1, 2] as Networks)"],
      ['apps/server/src/accounts/accounts.sql.ts', 'ids as unknown as Networks;'],
    ],
    good: [
      [server, "authority: inSubtreeEver('a', actor) satisfies Predicate,"],
      [
        server,
        "import type { Networks } from '../visibility-predicate.ts'; const of = (networks: Networks) => networks;",
      ],
      ['apps/server/src/platform/db/visibility-predicate.ts', 'condition as Predicate; lookedUp as Networks;'],
    ],
  },
  'looked-up-networks': {
    bad: [
      [server, "ofNetworks('t', wholeNetworks([1, 2]))"],
      [server, "import { wholeNetworks as of } from '../visibility-predicate.ts';"],
    ],
    good: [
      [server, 'const networks = await wholeNetworksOf(on, actor);'],
      ['apps/server/src/accounts/accounts.sql.ts', 'wholeNetworks(await networksOf(on, actor));'],
    ],
  },
  'little-is-for-all': {
    bad: [
      [server, "authority: allRows('It is easier.'),"],
      [server, "import { allRows as inSubtree } from '../visibility-predicate.ts';"],
    ],
    good: [
      [server, "const all = 'allRows'; // allRows(all)"],
      ['apps/server/src/games/catalogue/game-source.ts', "authority: allRows('There is one catalogue.'),"],
      [test, "authority: allRows('A list of nobody.'),"],
    ],
  },
  'settings-in-config': {
    bad: [[server, 'process.env.PORT']],
    good: [
      ['apps/server/src/config/config.ts', '/** Reads it. */\nexport function read() { return process.env.PORT; }'],
    ],
  },
  'safe-passwords': {
    bad: [
      [server, 'setPasswordLimits({ memory: 8, passes: 1 }, 1_000);'],
      ['package.json', '"start": "node --import ./apps/server/test/quick-passwords.ts"'],
    ],
    good: [['apps/server/test/harness.ts', "import './quick-passwords.ts';"]],
  },
  'no-console': {
    bad: [[server, 'console.log(1)']],
    good: [['apps/server/src/commands/run-audit.ts', 'console.log(1)']],
  },
  'every-test-runs': {
    bad: [
      [test, 'it.skip("a", f)'],
      [test, 'describe.only("a", f)'],
      ['apps/web/e2e/story.spec.ts', 'test.describe.only("a", f)'],
    ],
    good: [[test, 'it("says it.only", f); query.skip(3)']],
  },
  'own-connections': {
    bad: [
      [
        test,
        "query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'drawhouse backup'`)",
      ],
      [test, 'query(`select pg_cancel_backend(pid) from pg_stat_activity`); query(`select datname`)'],
    ],
    good: [
      [test, 'query(`select pg_terminate_backend(pid) from pg_stat_activity\n where datname = current_database()`)'],
      [server, 'query(sql`select pg_terminate_backend(pid) from pg_stat_activity`)'],
    ],
  },
  'nothing-left-to-do': {
    bad: [
      [server, `// ${note}: later`],
      ['README.md', `${note} write this`],
    ],
    good: [['README.md', 'What there is to do']],
  },
  'runs-anywhere': {
    bad: [
      ['README.md', `see ${home}/x`],
      ['.npmrc', registry],
    ],
    good: [
      ['README.md', 'see apps/home/page.ts and https://example.org/home/x'],
      ['package-lock.json', '{ "a": 1 }'],
    ],
  },
  'lockfile-without-hosts': {
    bad: [['package-lock.json', '"resolved": "https://example.org/a.tgz"']],
    good: [['package-lock.json', '"resolved": "packages/rules"']],
  },
  'short-files': {
    bad: [[server, 'a;\n'.repeat(351)]],
    good: [
      [server, 'a;\n'.repeat(350)],
      [test, 'a;\n'.repeat(400)],
      ['apps/web/src/lib/commonTexts.ts', 'a;\n'.repeat(400)],
    ],
  },
  'texts-in-texts-files': {
    bad: [
      [server, "throw new CallError('DRAW_STATE', { message: 'No draw of this game is running.' });"],
      [server, 'return { result, subject: `Deleted game ${name}` };'],
      [server, "throw new CallError('NOT_FOUND', { fields: { adminId: 'Choose an admin of your own' } });"],
      ['packages/contract/src/games/limits.ts', "z.number({ error: 'Enter points above 0' })"],
      ['packages/contract/src/games/game-pair.ts', "requiredText('Game is required', 64)"],
    ],
    good: [
      [
        server,
        "throw new CallError('DRAW_STATE', { message: DRAW_TEXTS.noneRunning, fields: { drawId: TEXTS.over } });",
      ],
      [server, "logger.error({ error }, 'a bet could not be taken'); const kind = { message: 'Bet' };"],
      ['packages/contract/src/games/limits.ts', "route({ summary: 'Sets limits of games.', path: 'limits/:adminId' })"],
      ['apps/server/src/draws/draws-texts.ts', "const A = { message: 'No draw of this game is running.' };"],
      [test, "expect(reply).toMatchObject({ message: 'No draw of this game is running.' })"],
    ],
  },
  'short-lines': {
    bad: [
      [server, `a;\n// ${'b'.repeat(138)}\n`],
      ['apps/server/migrations/0001-networks-and-accounts.sql', 'x'.repeat(141)],
      [test, `// ${'b'.repeat(138)}\n`],
    ],
    good: [
      [server, `// ${'b'.repeat(137)}\n`],
      ['tools/source.ts', `  /${'x'.repeat(200)}/`],
    ],
  },
};

describe.each(houseRules)('$name', ({ name }) => {
  const { bad, good } = samples[name] ?? { bad: [], good: [] };

  it('reports violations', () => {
    expect(bad.length).toBeGreaterThan(0);
    for (const [path, text] of bad) expect(broken(path, text).map((found) => found.split(':')[0])).toContain(name);
  });

  it('ignores other code', () => {
    expect(good.length).toBeGreaterThan(0);
    for (const [path, text] of good) expect(broken(path, text)).toEqual([]);
  });
});

it('reports the line', () => {
  expect(broken(server, 'a;\n/* b\n*/ Date.now();\n')).toEqual(['given-clock:3']);
  expect(broken(server, 'a;\n'.repeat(360))).toEqual(['short-files:351']);
});
