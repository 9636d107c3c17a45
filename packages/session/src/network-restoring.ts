/** Poll interval during a restore. */
const LOOK_AGAIN_MS = 4_000;

const listeners = new Set<() => void>();
let restoring = false;

export function isRestoring(): boolean {
  return restoring;
}

export function onRestoring(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noteRestoring(now: boolean): void {
  if (restoring === now) return;
  restoring = now;
  for (const listener of listeners) listener();
}

/** Polls every `idleMs`, faster during a restore. Returns an unsubscribe function. */
export function followRestoring(ask: () => Promise<{ readonly restoring: boolean }>, idleMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const wait = (): void => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(look, restoring ? LOOK_AGAIN_MS : idleMs);
  };
  const look = (): void =>
    void ask()
      .then((answer) => noteRestoring(answer.restoring))
      // The next poll retries.
      .catch(() => undefined)
      .then(wait);
  const leave = onRestoring(wait);
  wait();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    leave();
  };
}
