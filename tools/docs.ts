import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS } from '../apps/server/src/config/setting-names.ts';
import { drawMap } from './import-direction.ts';
import { root } from './run.ts';
import { lineAt, type Finding, type SourceFile } from './source.ts';

/** Written from the code, between `<!-- NAME -->` and `<!-- /NAME -->`. */
interface Generated {
  readonly page: string;
  readonly name: string;
  readonly text: string;
}

export function generatedParts(): readonly Generated[] {
  return [
    { page: 'CONTRIBUTING.md', name: 'map', text: `\`\`\`text\n${drawMap()}\n\`\`\`` },
    { page: 'docs/manual/running.md', name: 'settings', text: settingsTable() },
  ];
}

/** Pads cells as the formatter does. */
function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(([name, { defaultText, description }]) => [
    `\`${name}\``,
    defaultText,
    description,
  ]);
  const head = ['name', 'default', 'meaning'];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[], fill = ' '): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!, fill)).join(' | ')} |`;
  return [line(head), line(['', '', ''], '-'), ...rows.map((row) => line(row))].join('\n');
}

function spanOf(text: string, name: string): { readonly start: number; readonly end: number } | undefined {
  const [open, close] = [`<!-- ${name} -->\n\n`, `\n\n<!-- /${name} -->`];
  const start = text.indexOf(open) + open.length;
  const end = text.indexOf(close);
  return start < open.length || end < start ? undefined : { start, end };
}

export function checkDocs(files: readonly Pick<SourceFile, 'path' | 'text'>[]): readonly Finding[] {
  return generatedParts().flatMap(({ page, name, text: expectedText }) => {
    const text = files.find((file) => file.path === page)?.text ?? '';
    const span = spanOf(text, name);
    if (span && text.slice(span.start, span.end) === expectedText) return [];
    const message = span
      ? `the ${name} differs from the code: run npm run docs`
      : `${name} has no place: add <!-- ${name} --> and <!-- /${name} -->`;
    return [{ path: page, line: lineAt(text, span?.start ?? 0), rule: 'generated-docs', message }];
  });
}

/** Copies and history. */
const NOT_OURS = /^(?:docs\/spec|lab\/results)\//;

/** Checks names in backticks, which may lack leading folders. */
export function checkNamedFiles(files: readonly Pick<SourceFile, 'path' | 'text'>[]): readonly Finding[] {
  const endings = new Set(
    files.flatMap(({ path: file }) => file.split('/').map((_, at, all) => all.slice(at).join('/'))),
  );
  return files
    .filter(({ path: page }) => page.endsWith('.md') && !NOT_OURS.test(page))
    .flatMap(({ path: page, text }) =>
      [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql|css|py))`/g)]
        .filter(([, name]) => !endings.has(name!))
        .map(({ 1: name, index }) => ({
          path: page,
          line: lineAt(text, index),
          rule: 'named-files',
          message: `there is no ${name}: name the file that replaced it`,
        })),
    );
}

if (import.meta.main) {
  for (const { page, name, text: expectedText } of generatedParts()) {
    const file = path.join(root, page);
    const text = readFileSync(file, 'utf8');
    const span = spanOf(text, name);
    if (!span) throw new Error(`${page} has no <!-- ${name} --> and <!-- /${name} -->.`);
    writeFileSync(file, text.slice(0, span.start) + expectedText + text.slice(span.end));
  }
}
