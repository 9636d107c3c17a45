/** Of so many sentences at most it is known which calls they are about; then it begins anew. */
const MOST = 50;

const ids = new Map<unknown, string | undefined>();

/**
 * Notes that a sentence is said of a call that failed, which the log of the server has under this id; without one, that nobody can say which call it was. Whoever makes
 * sentences of failures tells so, and whatever shows them shows the id beneath.
 */
export function noteSaid(sentence: string, requestId: string | undefined): void {
  if (ids.size >= MOST) ids.clear();
  ids.set(sentence, requestId);
}

/** The id of the call of which a sentence was said last; undefined where there is none. */
export function requestIdOf(sentence: unknown): string | undefined {
  return ids.get(sentence);
}
