import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path, { posix } from 'node:path';

/** All three texts have equal length and lines. */
export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly code: string;
  readonly bare: string;
}

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

const BINARY = /\.(?:png|jpe?g|gif|ico|webp|avif|woff2?|ttf|pdf|zip|gz|xlsx)$/;
const SCRIPT = /\.[cm]?[jt]sx?$/;

/** Reads tracked files, plus untracked ones that are not ignored. */
export function readSources(root: string): SourceFile[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const paths = new Set(list.toString().split('\0'));
  return [...paths]
    .filter((name) => name !== '' && !BINARY.test(name) && existsSync(path.join(root, name)))
    .toSorted()
    .map((name) => sourceFile(name, readFileSync(path.join(root, name), 'utf8')));
}

export function sourceFile(name: string, text: string): SourceFile {
  return { path: name, text, ...(SCRIPT.test(name) ? withoutComments(text) : { code: text, bare: text }) };
}

export function isTest(name: string): boolean {
  return (
    /\.(?:test|spec)\.tsx?$/.test(name) ||
    /^(?:apps\/server|packages\/tlog|tools\/[\w-]+)\/test\/|^apps\/web\/e2e\//.test(name)
  );
}

/** Counts from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

export function formatFinding({ path: name, line, rule, message }: Finding): string {
  return `${name}:${line}  ${rule}: ${message}`;
}

/**
 * Matches comments, strings, templates and regular expressions, in this order. A slash opens a regular expression only
 * at the start of a value; otherwise it divides.
 */
const TOKEN =
  /(\/\/.*|\/\*[\s\S]*?\*\/)|('(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*")|([`}])|((?<=(?:^|[(,=:[!&|?;{+\n]|return|=>)[ \t]*)\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)|(\{)/g;

const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;

/** Blanks them. `bare`: string contents too, except `${}`. */
function withoutComments(text: string): { code: string; bare: string } {
  let code = '';
  let bare = '';
  let end = 0;
  const take = (until: number, inCode: (part: string) => string, inBare: (part: string) => string) => {
    const part = text.slice(end, until);
    code += inCode(part);
    bare += inBare(part);
    end = until;
  };
  // Per open brace: true for the `${` of a template.
  const braces: boolean[] = [];
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [token, comment, string, tick, regex] = match;
    take(match.index, keep, keep);
    if (comment) take(tokens.lastIndex, blank, blank);
    else if (string) take(tokens.lastIndex, keep, blankInside);
    else if (regex) take(tokens.lastIndex, keep, blankInside);
    else if (token === '{') braces.push(false);
    else if (tick === '}' && !braces.pop()) continue;
    else {
      TEMPLATE_PART.lastIndex = tokens.lastIndex;
      const part = TEMPLATE_PART.exec(text)?.[0] ?? '';
      if (part.endsWith('${')) braces.push(true);
      take(tokens.lastIndex, keep, keep);
      take(tokens.lastIndex + part.length, keep, blankTemplate);
      tokens.lastIndex = end;
    }
  }
  take(text.length, keep, keep);
  return { code, bare };
}

const keep = (part: string) => part;
const blank = (part: string) => part.replace(/[^\n]/g, ' ');
const blankInside = (part: string) => part[0] + blank(part.slice(1, -1)) + part.at(-1);
const blankTemplate = (part: string) => {
  const tail = part.endsWith('${') ? 2 : 1;
  return blank(part.slice(0, -tail)) + part.slice(-tail);
};

/** The path is set only for imports within the repository. */
interface Import {
  readonly specifier: string;
  readonly line: number;
  readonly target?: string;
}

const IMPORT =
  /(?:^|[\n;])\s*(?:import|export)\b(?:[^'"`;()]*?\bfrom)?\s*['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/g;

export function importsOf(file: SourceFile, paths: ReadonlySet<string>): Import[] {
  return [...file.code.matchAll(IMPORT)].map((match) => {
    const specifier = (match[1] ?? match[2])!;
    const line = lineAt(file.code, match.index + match[0].lastIndexOf(specifier));
    return { specifier, line, target: targetOf(file.path, specifier, paths) };
  });
}

function targetOf(from: string, specifier: string, paths: ReadonlySet<string>): string | undefined {
  const shared = /^@drawhouse\/(contract|rules|server|web)(?:\/(.+))?$/.exec(specifier);
  if (!shared && !specifier.startsWith('.')) return undefined;
  const folder = shared && ['contract', 'rules'].includes(shared[1]!) ? 'packages' : 'apps';
  const base = shared
    ? `${folder}/${shared[1]}/src/${shared[2] ?? 'index'}`
    : posix.join(posix.dirname(from), specifier);
  const candidates = [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`];
  return candidates.find((name) => paths.has(name)) ?? base;
}

/** Reports each cycle once, at its closing import. */
export function findCycles(graph: ReadonlyMap<string, readonly Import[]>): Finding[] {
  const findings: Finding[] = [];
  const done = new Set<string>();
  const trail: string[] = [];

  const visit = (file: string) => {
    trail.push(file);
    for (const { target, line } of graph.get(file) ?? []) {
      if (target === undefined || done.has(target)) continue;
      const start = trail.indexOf(target);
      if (start < 0) visit(target);
      else {
        const cycle = [...trail.slice(start), target].join(' → ');
        findings.push({
          path: file,
          line,
          rule: 'no-cycles',
          message: `${cycle}: move what both need into a separate file`,
        });
      }
    }
    trail.pop();
    done.add(file);
  };
  for (const file of graph.keys()) if (!done.has(file)) visit(file);
  return findings;
}
