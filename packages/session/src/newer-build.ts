import { createPageStore } from './page-store.ts';

export const newerBuild = createPageStore<string | null>(null);

interface Page {
  querySelector(selector: string): { getAttribute(name: string): string | null } | null;
}

/** Pages without a build, as in development, never become outdated. */
export function noteBuild(page: Page, build: string | null): void {
  const own = page.querySelector('meta[name="build"]')?.getAttribute('content') ?? null;
  if (build === null || own === null) return;
  newerBuild.set(build === own ? null : build);
}
