const listeners = new Set<() => void>();
let newer: string | null = null;

/** The build of this client that the server has, where it is another than this page's; else null. */
export function getNewerBuild(): string | null {
  return newer;
}

/** Tells when the server has another build; answers how to stop. */
export function onNewerBuild(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes the build that an answer names. A page that knows none of its own, as in development, is never out of date. */
export function noteBuild(build: string | null): void {
  const own = document.querySelector('meta[name="build"]')?.getAttribute('content');
  if (build === null || own == null) return;
  const now = build === own ? null : build;
  if (now === newer) return;
  newer = now;
  for (const listener of listeners) listener();
}
