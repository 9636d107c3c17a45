const listeners = new Set<() => void>();
let newBuild: string | null = null;

function ownBuild(): string | null {
  return document.querySelector('meta[name="build"]')?.getAttribute('content') ?? null;
}

/** The build that the server has now, where it is another than this page's; else null. */
export function getNewBuild(): string | null {
  return newBuild;
}

/** Tells when the server has another build; answers how to stop. */
export function subscribeRelease(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes the build that an answer names. A page without one, as in development, never is out of date. */
export function noteBuild(build: string | null): void {
  const own = ownBuild();
  if (build === null || own === null) return;
  const next = build === own ? null : build;
  if (next === newBuild) return;
  newBuild = next;
  for (const listener of listeners) listener();
}
