import { getHeapStatistics } from 'node:v8';

/** V8 collects heaps up to this size at twice the live data, larger ones at four times. */
const DOUBLED_MIB = 2_000;

/** Figures in lab/results/performance-2026-11.md. The caller's settings win. */
export function servingEnvironment(env) {
  return {
    ...env,
    // Password hashes need 19 MiB briefly, and glibc would cache two per thread. A fixed threshold frees them; huge
    // pages make reallocation cheap.
    GLIBC_TUNABLES: env.GLIBC_TUNABLES ?? 'glibc.malloc.mmap_threshold=4194304:glibc.malloc.hugetlb=1',
    // Under load V8's young generation grows to three times this many MiB and hardly shrinks.
    NODE_OPTIONS: ['--max-semi-space-size=16', oldGeneration(), env.NODE_OPTIONS].filter(Boolean).join(' '),
  };
}

/** Never above Node's default, which is smaller on small machines. */
function oldGeneration() {
  const ownMiB = getHeapStatistics().heap_size_limit / 2 ** 20;
  return ownMiB > DOUBLED_MIB ? `--max-old-space-size=${DOUBLED_MIB}` : undefined;
}
