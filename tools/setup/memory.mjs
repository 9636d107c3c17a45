import { getHeapStatistics } from 'node:v8';

/** The largest heap, in MiB, that V8 collects when it has doubled; a larger one it lets grow to four times what is in use. */
const DOUBLED_MIB = 2_000;

/**
 * What the process of a server is started with, so that it keeps no memory that it does not use. docs/performance.md has the
 * figures with and without. What the caller has set in either variable wins.
 */
export function servingEnvironment(env) {
  return {
    ...env,
    // A password hash needs 19 MiB for a moment. glibc would keep up to two of these in each thread that ever computed one;
    // a fixed threshold gives them back at once, and huge pages pay for getting them anew.
    GLIBC_TUNABLES: env.GLIBC_TUNABLES ?? 'glibc.malloc.mmap_threshold=4194304:glibc.malloc.hugetlb=1',
    // Under load V8 lets its young generation grow to three times this many MiB, and gives little of it back.
    NODE_OPTIONS: ['--max-semi-space-size=16', oldGeneration(), env.NODE_OPTIONS].filter(Boolean).join(' '),
  };
}

/** Less than what Node takes by itself, never more: on a small machine that is less already. */
function oldGeneration() {
  const ownMiB = getHeapStatistics().heap_size_limit / 2 ** 20;
  return ownMiB > DOUBLED_MIB ? `--max-old-space-size=${DOUBLED_MIB}` : undefined;
}
