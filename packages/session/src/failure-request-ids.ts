/** Maximum remembered sentences. Clears all beyond that. */
const MOST = 50;

const ids = new Map<unknown, string | undefined>();

/** Records the request id behind an error sentence, for display below it. Without an id, the call is unknown. */
export function recordRequestId(sentence: string, requestId: string | undefined): void {
  if (ids.size >= MOST) ids.clear();
  ids.set(sentence, requestId);
}

export function requestIdOf(sentence: unknown): string | undefined {
  return ids.get(sentence);
}
