import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isWhole } from './apps/server/test/test-tier.ts';

const exclude = [...configDefaults.exclude, ...(isWhole ? [] : ['**/*.long.test.{ts,tsx}'])];

/** The harness lowers the hashing cost elsewhere. */
const FULL_COST = 'apps/server/src/auth/passwords/password.test.ts';

/** Ends hanging tests, which need no timeouts of their own. Busy machines slow tests tenfold. */
const HANGS_MS = isWhole ? 1_800_000 : 600_000;
/** Vitest's default is one second. */
const POLL_MS = isWhole ? 300_000 : 60_000;
const guards = { testTimeout: HANGS_MS, hookTimeout: HANGS_MS, expect: { poll: { timeout: POLL_MS } } };
const shared = { exclude, ...guards, isolate: false };

/** Small but slow files. Until it has timings, Vitest starts with the largest. */
const BEGIN_FIRST = /\/(?:restore|bad-input|authorization-matrix|accounts|seal-faults|fairness-page)\.test\.ts$/;

/** Keeps slow files from running alone at the end. */
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
    // With two browser workers, these keep two cores busy.
    maxWorkers: 3,
    chaiConfig: { truncateThreshold: 2_000 },
    // `--changed` follows imports; server tests depend on these files without importing them.
    forceRerunTriggers: [
      ...configDefaults.forceRerunTriggers,
      '**/apps/server/migrations/**',
      '**/apps/server/grants.sql',
    ],
    // Loading dominates, so workers share modules between files.
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
          // Parses every statement; too slow for the short tier.
          setupFiles: isWhole ? ['apps/server/test/statements/judge-statements.ts'] : [],
        },
      },
      { test: { name: 'passwords', include: [FULL_COST], ...guards } },
      { test: { name: 'players', include: ['apps/players/src/**/*.test.{ts,tsx}'], ...shared } },
      { test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'], ...shared } },
    ],
  },
});
