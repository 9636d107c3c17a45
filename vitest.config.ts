import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** What takes long by its nature is left to `npm run test:long`. */
const exclude = [...configDefaults.exclude, ...(process.env['TEST_LONG'] ? [] : ['**/*.long.test.ts'])];

/** What hashes passwords as the product does. Elsewhere the harness makes that quick, for all files of its worker. */
const COSTLY = 'apps/server/src/auth/password.test.ts';

/**
 * After so long a test hangs. It is no measure of how quick a test is: beside ten other programs one takes ten times as long.
 */
const HANGS_MS = 120_000;
/** After so long what a test waits for does not come. By itself a poll gives up after a second, in which a busy machine does little. */
const POLLS_MS = 30_000;
const guards = { testTimeout: HANGS_MS, hookTimeout: HANGS_MS, expect: { poll: { timeout: POLLS_MS } } };

/** Short files that take long. In a fresh clone the largest begin first: these would begin last, and be alone in the end. */
const BEGIN_FIRST = /\/(?:beside|first-start|interleavings|ledger-model|live-secrets|serving-role)\.test\.ts$/;

/** The usual order, after those that are to begin first. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ moduleId }: TestSpecification): boolean => BEGIN_FIRST.test(moduleId);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    // Each file has a database of its own, so two of them never meet. With two processors, what waits leaves them to two more.
    maxWorkers: 4,
    // What is wrong with books or answers is said whole, also where only the first line is shown.
    chaiConfig: { truncateThreshold: 2_000 },
    projects: [
      // To load what these test costs more than the tests do: a worker keeps it from one file to the next.
      { test: { name: 'packages', include: ['packages/*/src/**/*.test.ts'], ...guards, isolate: false } },
      { test: { name: 'tools', include: ['tools/**/*.test.ts'], exclude, ...guards, isolate: false } },
      {
        test: {
          name: 'server',
          include: ['apps/server/{src,test}/**/*.test.ts'],
          exclude: [...exclude, COSTLY],
          globalSetup: ['apps/server/test/global-setup.ts'],
          // The watch on statements parses each of them: it is for the long tier.
          setupFiles: process.env['TEST_LONG'] ? ['apps/server/test/judge-statements.ts'] : [],
          ...guards,
          isolate: false,
        },
      },
      { test: { name: 'passwords', include: [COSTLY], ...guards } },
      { test: { name: 'players', include: ['apps/players/src/**/*.test.{ts,tsx}'], ...guards, isolate: false } },
      { test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'], ...guards, isolate: false } },
    ],
  },
});
