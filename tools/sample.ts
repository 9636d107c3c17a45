import { lineAt } from './source.ts';
import type { Finding, SourceFile } from './source.ts';

/** A diff block showing lines of one file, with omissions. */
const SAMPLE = /```diff\n(?<body>[^]*?)```/g;
const LEFT_OUT = '…';

/** `…` matches any part of a line. */
function isShown(shown: string, line: string): boolean {
  const parts = shown.split(LEFT_OUT).map((part) => part.trim());
  if (parts.length === 1) return line.trim() === parts[0];
  let at = 0;
  for (const part of parts) {
    const found = line.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/** Checks Markdown samples (`+++ path`, then `+line` in order, `…` for omissions) against the code. */
export function checkSamples(files: readonly Pick<SourceFile, 'path' | 'text'>[]): readonly Finding[] {
  const texts = new Map(files.map(({ path, text }) => [path, text.split('\n')]));
  return files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap((page) =>
      [...page.text.matchAll(SAMPLE)].flatMap((match) => {
        const first = lineAt(page.text, match.index) + 1;
        const findings: Finding[] = [];
        let code: readonly string[] | undefined;
        let at = 0;
        for (const [offset, line] of match.groups!['body']!.split('\n').entries()) {
          const add = (message: string): void =>
            void findings.push({ path: page.path, line: first + offset, rule: 'true-samples', message });
          if (line.startsWith('+++ ')) {
            [code, at] = [texts.get(line.slice(4).trim()), 0];
            if (!code) add(`there is no ${line.slice(4).trim()}: say where this stands now`);
          } else if (code && line.startsWith('+') && line.slice(1).trim() !== LEFT_OUT) {
            const found = code.findIndex((text, index) => index >= at && isShown(line.slice(1), text));
            if (found < 0) add(`this is not in the code, or not after the line above: show what is`);
            else at = found + 1;
          }
        }
        return findings;
      }),
    );
}
