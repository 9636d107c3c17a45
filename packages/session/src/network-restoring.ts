/** While the network is restored, a page asks this often whether it still is. */
const LOOK_AGAIN_MS = 4_000;

const listeners = new Set<() => void>();
let restoring = false;

/** Whether the network of whoever is signed in is being restored, as the server last said. */
export function isRestoring(): boolean {
  return restoring;
}

/** Calls `listener` when a restore of the network begins or ends. Returns how to stop. */
export function onRestoring(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes the server's word on whether the network is being restored. */
export function noteRestoring(now: boolean): void {
  if (restoring === now) return;
  restoring = now;
  for (const listener of listeners) listener();
}

/** Asks again and again whether the network is being restored: every `idleMs`, and more often while it is. Returns how to stop. */
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
      // The next answer says it.
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
