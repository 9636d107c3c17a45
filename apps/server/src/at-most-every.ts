/**
 * Says at each call whether so many milliseconds have passed since it last said so, and at the first: for what is to be told at most so often. `nowMs`
 * gives the time in milliseconds; where that goes back, they count as passed.
 */
export function atMostEvery(everyMs: number, nowMs: () => number): () => boolean {
  let lastMs: number | undefined;
  return () => {
    const now = nowMs();
    if (lastMs !== undefined && now >= lastMs && now - lastMs < everyMs) return false;
    lastMs = now;
    return true;
  };
}
