import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the server must know of the web app's page. */
export interface WebPage {
  /** The name of its build, as the build wrote it into the page; undefined where it names none. */
  readonly build: string | undefined;
  /** The scripts that stand in the page itself, as sources of a content security policy: `'sha256-…'`. No other one runs. */
  readonly inlineScripts: readonly string[];
  /** The same of the styles in it. */
  readonly inlineStyles: readonly string[];
  /** The page itself. */
  readonly html: string;
}

/** Stands in a page where each answer has a nonce of its own. */
export const NONCE_MARK = '%CSP_NONCE%';

/** Reads the page of the web app in a folder; undefined where there is none. */
export function readWebPage(root: string | undefined): WebPage | undefined {
  const file = root === undefined ? undefined : join(root, 'index.html');
  if (file === undefined || !existsSync(file)) return undefined;
  const html = readFileSync(file, 'utf8');
  return {
    build: /<meta name="build" content="(\w+)"/.exec(html)?.[1],
    inlineScripts: sourcesOf(html.matchAll(/<script>([^]*?)<\/script>/g)),
    inlineStyles: sourcesOf(html.matchAll(/<style>([^]*?)<\/style>/g)),
    html,
  };
}

function sourcesOf(found: Iterable<RegExpExecArray>): string[] {
  return [...found].map((match) => `'sha256-${createHash('sha256').update(match[1]!).digest('base64')}'`);
}
