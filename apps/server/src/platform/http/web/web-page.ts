import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface WebPage {
  readonly build: string | undefined;
  /** CSP sources of inline scripts, `'sha256-…'`. No others run. */
  readonly inlineScripts: readonly string[];
  readonly inlineStyles: readonly string[];
  readonly html: string;
}

export const NONCE_MARK = '%CSP_NONCE%';

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
