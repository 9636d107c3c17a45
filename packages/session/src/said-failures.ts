/** Of so many sentences it is known which calls they are about. */
const MOST = 50;

const ids = new Map<string, string>();

/**
 * Notes that a sentence is said of a call that failed, which the log of the server has under this id; without one, that nobody can say which call it was. Whoever makes
 * sentences of failures tells so, and whatever shows them shows the id beneath.
 */
export function noteSaid(sentence: string, requestId: string | undefined): void {
  ids.delete(sentence);
  if (requestId === undefined) return;
  ids.set(sentence, requestId);
  if (ids.size > MOST) ids.delete(ids.keys().next().value!);
}

/** The id of the call of which a sentence was said last; undefined where there is none. */
export function requestIdOf(sentence: string): string | undefined {
  return ids.get(sentence);
}
