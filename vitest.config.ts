import { configDefaults, defineConfig } from 'vitest/config';

/** What takes long by its nature is left to `npm run test:long`. */
const exclude = [...configDefaults.exclude, ...(process.env['TEST_LONG'] ? [] : ['**/*.long.test.ts'])];

/** What hashes passwords as the product does. Elsewhere the harness makes that quick, for all files of its worker. */
const COSTLY = 'apps/server/src/auth/password.test.ts';

export default defineConfig({
  test: {
    // Each file has a database of its own, so two of them never meet. With two processors, what waits leaves them to a third.
    maxWorkers: 3,
    // What is wrong with books or answers is said whole, also where only the first line is shown.
    chaiConfig: { truncateThreshold: 2_000 },
    projects: [
      // To load what these test costs more than the tests do: a worker keeps it from one file to the next.
      // Ten thousand draws are computed in a second, or in ten where the machine is busy.
      { test: { name: 'packages', include: ['packages/*/src/**/*.test.ts'], testTimeout: 20_000, isolate: false } },
      { test: { name: 'tools', include: ['tools/**/*.test.ts'], exclude, isolate: false } },
      {
        test: {
          name: 'server',
          include: ['apps/server/{src,test}/**/*.test.ts'],
          exclude: [...exclude, COSTLY],
          globalSetup: ['apps/server/test/global-setup.ts'],
          // Each file has a database of its own; the first ones wait while PostgreSQL makes them.
          testTimeout: 20_000,
          hookTimeout: 60_000,
          isolate: false,
        },
      },
      { test: { name: 'passwords', include: [COSTLY] } },
      { test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'], isolate: false } },
    ],
  },
});
