import { createPageStore } from './page-store.ts';

const POLL_MS = 4_000;

export const networkRestoring = createPageStore(false);

/** Polls faster during a restore. */
export function followRestoring(ask: () => Promise<{ readonly restoring: boolean }>, idleMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const wait = (): void => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(poll, networkRestoring.get() ? POLL_MS : idleMs);
  };
  const poll = (): void =>
    void ask()
      .then((answer) => networkRestoring.set(answer.restoring))
      // The next poll retries.
      .catch(() => undefined)
      .then(wait);
  const leave = networkRestoring.listen(wait);
  wait();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    leave();
  };
}
