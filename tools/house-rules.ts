import { isTest, lineAt, type Finding, type SourceFile } from './source.ts';

/** Each message names the replacement. */
export interface HouseRule {
  readonly name: string;
  readonly message: string;
  readonly appliesTo: (path: string) => boolean;
  /** Each named in the message or justified by a comment. */
  readonly exceptions?: readonly (string | RegExp)[];
  /** `text`: everything. `code`: without comments. `bare`: also without string contents. */
  readonly within?: 'text' | 'code' | 'bare';
  /** A forbidden pattern, or a function that returns match positions. */
  readonly find: RegExp | ((file: SourceFile) => readonly number[]);
}

const under =
  (...folders: readonly string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(folder));
const production =
  (...folders: readonly string[]) =>
  (path: string) =>
    SCRIPT.test(path) && under(...folders)(path) && !isTest(path);

const SCRIPT = /\.(?:[cm]?[jt]s|tsx)$/;
const SLEEP =
  /\bsetTimeout\((?:resolve|res|done|ok|r)\b|\bsetTimeout\(\s*\(\s*\)\s*=>\s*(?:resolve|res|done|ok|r)\(|\bawait\s+(?:setTimeout|sleep|delay)\(|\bwaitForTimeout\b/g;
/** A sentence of an answer, a log row or a schema. `about` and `summary` are documentation. */
const SENTENCE =
  /\b(?:error|message|subject):\s*(['"`])[A-Z](?:(?!\1)[^\\\n])* |\brequired(?:Text|Name)\(\s*['"`]|\bfields: \{ [^'"`:]+: (['"`])[A-Z](?:(?!\2)[^\\\n])* /g;
/** Sent as a string, or a string that starts a statement or its CTEs. */
const UNTAGGED_SQL =
  /\.(?:query|send)(?:<(?:[^()<>]|<[^<>]*>)*>)?\(\s*['"`]|(?<!\bsql|\bformat\()['"`]\s*(?:(?:select|insert into|delete from|update \w+ set|with \w+ as|with recursive|vacuum|lock table|truncate|alter|create|drop|set|copy|analyze|explain)\s|\w+ as (?:materialized )?\()|from ['"](?:kysely|slonik|sql-template-tag)['"]/g;
const CREDIT_WORD = String.raw`\w*(?:amount|credit|balance|stake|points|hundredths|payout|winnings)\w*`;
const CONVERSIONS = 'packages/contract/src/core/hundredths.ts';
/** PostgreSQL runs as a separate process: it inherits the environment and sends no events. */
const EMBEDDED = /^apps\/server\/src\/platform\/db\/embedded/;
const MAX_LINES = 350;
const MAX_WIDTH = 140;

/** A new rule needs a row here and a sample in house-rules.test.ts. */
export const houseRules: readonly HouseRule[] = [
  {
    name: 'exact-credit',
    message: `credit is exact: keep it in hundredths as a bigint, and convert it with ${CONVERSIONS}`,
    appliesTo: production('packages/', 'apps/server/src/', 'apps/web/src/', 'apps/players/src/'),
    exceptions: [CONVERSIONS],
    within: 'bare',
    find: new RegExp(String.raw`\bparseFloat\b|\.toFixed\(|\bNumber\(\s*(?:[\w$]+\??\.)*${CREDIT_WORD}\b(?!\()`, 'gi'),
  },
  {
    name: 'one-conversion',
    message: `convert with hundredthsOf, pointsOf and percentOf of ${CONVERSIONS}; show shares with Intl.NumberFormat`,
    // Game rules count in hundreds without converting. The audit reads logged values in SQL.
    appliesTo: production('packages/contract/', 'apps/server/src/', 'apps/web/src/', 'apps/players/src/'),
    exceptions: [CONVERSIONS, 'apps/server/src/audit/audit-check.ts'],
    within: 'code',
    // `${share * 100}%` is a bar's width, not credit.
    find: /[*/]\s*100\b(?![._])(?!\)?\} ?%)/g,
  },
  {
    name: 'given-clock',
    message: 'tests must control time: take the clock of apps/server/src/platform/time/clock.ts as an argument',
    appliesTo: production('apps/server/src/'),
    exceptions: ['apps/server/src/platform/time/clock.ts', 'apps/server/src/compose/serve.ts'],
    within: 'bare',
    find: /\bDate\.now\b|\bnew Date(?:\(\s*\)|(?!\s*\()\b)|\bDate\(\s*\)/g,
  },
  {
    name: 'no-sleep',
    message: 'do not sleep: use the clock of apps/server/src/platform/time/clock.ts, or wait for the event',
    appliesTo: production('apps/server/src/', 'packages/'),
    exceptions: [
      'apps/server/src/platform/time/clock.ts',
      'apps/server/src/compose/serve.ts',
      'apps/server/src/compose/workers/run-workers.ts',
      'apps/server/src/transparency/seal/run/sealing-worker.ts',
      EMBEDDED,
    ],
    within: 'bare',
    find: SLEEP,
  },
  {
    name: 'no-sleep-in-tests',
    message: 'tests do not sleep: move the clock of the harness, or await the answer, the event or expect.poll',
    appliesTo: isTest,
    within: 'bare',
    find: SLEEP,
  },
  {
    name: 'no-timer-promises',
    message: 'do not sleep: move the clock of the harness in tests, wait for the event elsewhere',
    appliesTo: (path) => isTest(path) || production('apps/server/src/', 'packages/')(path),
    exceptions: [
      'apps/server/src/platform/time/clock.ts',
      'apps/server/src/compose/serve.ts',
      'apps/server/src/compose/workers/run-workers.ts',
      'apps/server/src/transparency/seal/run/sealing-worker.ts',
      EMBEDDED,
    ],
    within: 'code',
    find: /['"](?:node:)?timers\/promises['"]/g,
  },
  {
    name: 'no-math-random',
    message: 'Math.random is predictable: draw from the committed seed, and create ids and secrets with node:crypto',
    appliesTo: production('apps/server/', 'packages/'),
    within: 'bare',
    find: /\bMath\.random\b/g,
  },
  {
    name: 'pure-packages',
    message: 'contract and rules have no clock, no randomness and no I/O: take values as arguments',
    appliesTo: production('packages/'),
    // Node-only shortcuts live in thin files that pages never import.
    exceptions: [/^packages\/tlog\/src\/node\//],
    within: 'code',
    find: /\bDate\.now\b|\bnew Date\(\s*\)|\bcrypto\.(?:getRandomValues|random\w+)|\bfetch\(|\bprocess\.|from ['"]node:/g,
  },
  {
    name: 'database-in-db',
    message: 'apps/server/src/platform/db owns the pool: take the transaction as the first argument and query with it',
    appliesTo: production('apps/server/src/'),
    exceptions: [/^apps\/server\/src\/platform\/db\//],
    within: 'code',
    find: /\bpool\.(?:query|connect)\b|\bnew (?:pg\.)?Pool\b|from ['"]pg['"]|\bimport\(['"]pg['"]\)/g,
  },
  {
    name: 'sql-by-tag',
    message: 'write SQL with the sql tag of apps/server/src/platform/db/sql/sql.ts, with its values inside',
    appliesTo: production('apps/server/src/'),
    // Conditions of COPY are text.
    exceptions: [/^apps\/server\/src\/platform\/db\//, 'apps/server/src/config/tables/table-owners.ts'],
    within: 'code',
    find: UNTAGGED_SQL,
  },
  {
    name: 'authority-of-callers',
    message:
      'restrict visibility by the caller: use inSubtree, inSubtreeEver or another function of platform/db/visibility-predicate.ts',
    appliesTo: production('apps/server/src/'),
    exceptions: ['apps/server/src/platform/db/visibility-predicate.ts'],
    within: 'bare',
    find: /\bas (?:\w+ as )?(?:Predicate|Networks)\b/g,
  },
  {
    name: 'looked-up-networks',
    message:
      'find the networks that a caller owns as a whole with wholeNetworksOf of apps/server/src/accounts/accounts.sql.ts',
    appliesTo: production('apps/server/src/'),
    exceptions: [
      'apps/server/src/platform/db/visibility-predicate.ts',
      'apps/server/src/accounts/accounts.sql.ts',
      'apps/server/src/reports/bet-list/bet-list.sql.ts',
    ],
    within: 'bare',
    find: /\bwholeNetworks\b/g,
  },
  {
    name: 'little-is-for-all',
    message:
      'restrict visibility by each caller: use inSubtree, inSubtreeEver or another function of platform/db/visibility-predicate.ts',
    appliesTo: production('apps/server/src/'),
    // Catalogue and draw intervals, which belong to no network.
    exceptions: [
      'apps/server/src/platform/db/visibility-predicate.ts',
      'apps/server/src/games/times/times.routes.ts',
      'apps/server/src/games/catalogue/game-source.ts',
    ],
    within: 'bare',
    find: /\ballRows\b/g,
  },
  {
    name: 'settings-in-config',
    message: 'only apps/server/src/config/config.ts reads the environment: add a setting there and pass it in',
    appliesTo: production('apps/server/src/'),
    exceptions: ['apps/server/src/config/config.ts', EMBEDDED],
    within: 'bare',
    find: /\bprocess\.env\b/g,
  },
  {
    name: 'safe-passwords',
    message:
      'hash passwords at SAFE_COST of apps/server/src/auth/passwords/password.ts; only the test harness hashes quickly',
    appliesTo: (path) => SCRIPT.test(path) || path.endsWith('.json'),
    exceptions: [
      'apps/server/src/auth/passwords/password.ts',
      /^apps\/server\/test\/(?:bootstrap-template|quick-passwords|harness|processes\/server-process)\.ts$/,
      /^tools\/house-rules/,
    ],
    within: 'code',
    find: /\bsetPasswordLimits\b|\bquick-passwords\b/g,
  },
  {
    name: 'no-console',
    message: 'log with the passed-in logger, so that lines have a level and a request',
    appliesTo: production('apps/server/src/'),
    exceptions: [
      'apps/server/src/main.ts',
      'apps/server/src/compose/workers/worker.ts',
      'apps/server/src/commands/command-line.ts',
      'apps/server/src/commands/run-audit.ts',
      'apps/server/src/commands/run-backup.ts',
      'apps/server/src/commands/run-group.ts',
      'apps/server/src/commands/run-network.ts',
      'apps/server/src/commands/run-restore.ts',
      'apps/server/src/commands/run-seals.ts',
      'apps/server/src/commands/run-admin.ts',
      'apps/server/src/commands/run-doctor.ts',
      'apps/server/src/commands/run-support-bundle.ts',
    ],
    within: 'bare',
    find: /\bconsole\.\w+/g,
  },
  {
    name: 'every-test-runs',
    message: 'every test runs: fix it, or delete it and say why in the commit',
    appliesTo: isTest,
    within: 'bare',
    find: /\b(?:it|test|describe|suite|bench)(?:\.\w+)*\.(?:only|skip|skipIf|runIf|todo|fixme)\b/g,
  },
  {
    name: 'own-connections',
    message: "all test files share one PostgreSQL: end only connections of the test's own database, by datname",
    appliesTo: isTest,
    exceptions: ['tools/house-rules.test.ts'],
    within: 'text',
    find: /pg_(?:terminate|cancel)_backend(?![^`]*\bdatname\b)/g,
  },
  {
    name: 'nothing-left-to-do',
    message: 'do it now, or write an issue: the code holds no notes for later',
    appliesTo: () => true,
    exceptions: ['package-lock.json'],
    within: 'text',
    // Split so this line does not match itself.
    find: new RegExp(String.raw`\b(?:TO${''}DO|FIX${''}ME|X${''}XX)\b`, 'g'),
  },
  {
    name: 'runs-anywhere',
    message: 'a clone must work on any machine: use paths relative to the repository, and leave the registry to npm',
    appliesTo: (path) => path !== 'package-lock.json',
    within: 'text',
    find: new RegExp(
      String.raw`(?<![\w.:/*)-])/(?:work|home|root|Users)${'/'}\w|registry\.npm${''}js|registry\.yarn${''}pkg`,
      'g',
    ),
  },
  {
    name: 'lockfile-without-hosts',
    message: 'install with omit-lockfile-registry-resolved=true, so that the lockfile names no registry',
    appliesTo: (path) => path === 'package-lock.json',
    within: 'text',
    find: /"resolved": "https?:/g,
  },
  {
    name: 'texts-in-texts-files',
    message: "write what people read in the feature's texts file, so that a second language can replace it",
    appliesTo: production('apps/server/src/', 'packages/contract/src/'),
    // The messages of error codes are a texts file, with their statuses.
    exceptions: [/-texts\.ts$/, 'packages/contract/src/core/errors.ts'],
    within: 'code',
    find: SENTENCE,
  },
  {
    name: 'short-files',
    message: `a file over ${MAX_LINES} lines should be two files: move out a part that deserves its own name`,
    appliesTo: (path) =>
      under('apps/server/', 'apps/players/', 'packages/', 'lab/', 'tools/')(path) &&
      /\.(?:[cm]?[jt]s|tsx|sql)$/.test(path) &&
      !isTest(path),
    exceptions: [/Texts\.ts$/, /\.gen\.tsx?$/, /(?:^|\/)generated\//],
    find: ({ text }) => {
      const newlines = [...text.matchAll(/\n/g)];
      return newlines.length > MAX_LINES ? [newlines[MAX_LINES]!.index] : [];
    },
  },
  {
    name: 'short-lines',
    message: `a line has at most ${MAX_WIDTH} characters: break SQL between clauses, and join parts of a long text with +`,
    appliesTo: (path) =>
      under('apps/', 'packages/', 'lab/', 'tools/')(path) && /\.(?:[cm]?[jt]s|tsx|css|sql)$/.test(path),
    within: 'text',
    // Regular expressions cannot be broken.
    find: new RegExp(`^(?!\\s*/[^/*]).{${MAX_WIDTH + 1},}$`, 'gm'),
  },
];

export function checkHouseRules(
  files: readonly SourceFile[],
  rules: readonly HouseRule[] = houseRules,
): readonly Finding[] {
  return files.flatMap((file) =>
    rules
      .filter((rule) => rule.appliesTo(file.path) && !isException(rule, file.path))
      .flatMap((rule) =>
        placesOf(rule, file).map((place) => ({
          path: file.path,
          line: lineAt(file.text, place),
          rule: rule.name,
          message: rule.message,
        })),
      ),
  );
}

function isException({ exceptions = [] }: HouseRule, path: string): boolean {
  return exceptions.some((exception) => (typeof exception === 'string' ? exception === path : exception.test(path)));
}

function placesOf({ find, within = 'code' }: HouseRule, file: SourceFile): readonly number[] {
  if (typeof find === 'function') return find(file);
  return [...file[within].matchAll(find)].map(({ index }) => index);
}
