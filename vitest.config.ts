import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { isWhole } from './apps/server/test/how-much.ts';

/** The short tier leaves the long files out, in every project. */
const exclude = [...configDefaults.exclude, ...(isWhole ? [] : ['**/*.long.test.{ts,tsx}'])];

/** Hashes passwords at the product's cost. In the other files the harness lowers it for the whole worker. */
const FULL_COST = 'apps/server/src/auth/password.test.ts';

/** Ends a test that hangs. It does not measure speed: beside ten other programs a test takes ten times as long, and a long one may take minutes alone. */
const HANGS_MS = isWhole ? 1_800_000 : 120_000;
/** Vitest's own limit for a poll is a second, too short on a busy machine. */
const POLL_MS = 30_000;
const guards = { testTimeout: HANGS_MS, hookTimeout: HANGS_MS, expect: { poll: { timeout: POLL_MS } } };
const shared = { exclude, ...guards, isolate: false };

/** Slow files that are small. Vitest begins with the largest files until it knows how long each takes. */
const BEGIN_FIRST = /\/(?:restore|bad-input|authorization-matrix|accounts|seal-faults|fairness-page)\.test\.ts$/;

/** Vitest's order, after the files that begin first, so that no worker is alone with a slow file at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ moduleId }: TestSpecification): boolean => BEGIN_FIRST.test(moduleId);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    // Beside two workers of the browser, these keep two cores busy.
    maxWorkers: 3,
    // A failed comparison shows its values in full.
    chaiConfig: { truncateThreshold: 2_000 },
    // `--changed` follows imports. The tests of the server depend on these files without importing them.
    forceRerunTriggers: [
      ...configDefaults.forceRerunTriggers,
      '**/apps/server/migrations/**',
      '**/apps/server/grants.sql',
    ],
    // Loading costs more than most of these tests do: without isolation a worker keeps its modules from file to file.
    projects: [
      { test: { name: 'packages', include: ['packages/*/src/**/*.test.ts'], ...shared } },
      { test: { name: 'tools', include: ['tools/**/*.test.ts'], ...shared } },
      { test: { name: 'lab', include: ['lab/**/*.test.ts'], ...shared } },
      {
        test: {
          name: 'server',
          include: ['apps/server/{src,test}/**/*.test.ts'],
          ...shared,
          exclude: [...exclude, FULL_COST],
          globalSetup: ['apps/server/test/global-setup.ts'],
          // The watch on statements parses each of them: it is for the long tier.
          setupFiles: isWhole ? ['apps/server/test/judge-statements.ts'] : [],
        },
      },
      { test: { name: 'passwords', include: [FULL_COST], ...guards } },
      { test: { name: 'players', include: ['apps/players/src/**/*.test.{ts,tsx}'], ...shared } },
      { test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'], ...shared } },
    ],
  },
});
