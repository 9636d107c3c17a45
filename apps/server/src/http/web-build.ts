import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the web app's build in a folder, as the build wrote it into its page; undefined where there is none. */
export function webBuildOf(root: string | undefined): string | undefined {
  const page = root === undefined ? undefined : join(root, 'index.html');
  if (page === undefined || !existsSync(page)) return undefined;
  return /<meta name="build" content="(\w+)"/.exec(readFileSync(page, 'utf8'))?.[1];
}
