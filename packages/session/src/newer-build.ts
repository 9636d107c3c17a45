const listeners = new Set<() => void>();
let newerBuild: string | null = null;

/** The build of this client on the server, if it differs from the page's; otherwise null. */
export function getNewerBuild(): string | null {
  return newerBuild;
}

/** Calls `listener` when the server has another build. Returns how to stop. */
export function onNewerBuild(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface Page {
  querySelector(selector: string): { getAttribute(name: string): string | null } | null;
}

/** Takes the build that an answer names. A page without a build of its own, as in development, is never out of date. */
export function noteBuild(page: Page, build: string | null): void {
  const own = page.querySelector('meta[name="build"]')?.getAttribute('content') ?? null;
  if (build === null || own === null) return;
  const next = build === own ? null : build;
  if (next === newerBuild) return;
  newerBuild = next;
  for (const listener of listeners) listener();
}
