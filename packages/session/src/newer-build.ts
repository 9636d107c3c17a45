const listeners = new Set<() => void>();
let newerBuild: string | null = null;

/** Null if the page is current. */
export function getNewerBuild(): string | null {
  return newerBuild;
}

export function onNewerBuild(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface Page {
  querySelector(selector: string): { getAttribute(name: string): string | null } | null;
}

/** Pages without a build, as in development, never become outdated. */
export function noteBuild(page: Page, build: string | null): void {
  const own = page.querySelector('meta[name="build"]')?.getAttribute('content') ?? null;
  if (build === null || own === null) return;
  const next = build === own ? null : build;
  if (next === newerBuild) return;
  newerBuild = next;
  for (const listener of listeners) listener();
}
