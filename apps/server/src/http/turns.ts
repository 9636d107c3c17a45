/**
 * Makes a queue for work that holds the event loop for milliseconds: whoever awaits its turn begins a turn of the loop after the one
 * before, so that between two pieces everything else that has come in is served, however many wait.
 */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => new Promise<void>((begin) => setImmediate(begin))));
}
