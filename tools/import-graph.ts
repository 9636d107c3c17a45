import { posix } from 'node:path';
import { lineAt } from './source.ts';
import type { Finding, SourceFile } from './source.ts';

/** The path is set only for imports within the repository. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  readonly target?: string;
}

const IMPORT =
  /(?:^|[\n;])\s*(?:import|export)\b(?:[^'"`;()]*?\bfrom)?\s*['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/g;

export function importsOf(file: SourceFile, known: ReadonlySet<string>): Import[] {
  return [...file.code.matchAll(IMPORT)].map((match) => {
    const specifier = (match[1] ?? match[2])!;
    const line = lineAt(file.code, match.index + match[0].lastIndexOf(specifier));
    return { specifier, line, target: targetOf(file.path, specifier, known) };
  });
}

function targetOf(from: string, specifier: string, known: ReadonlySet<string>): string | undefined {
  const shared = /^@drawhouse\/(contract|rules|server|web)(?:\/(.+))?$/.exec(specifier);
  if (!shared && !specifier.startsWith('.')) return undefined;
  const folder = shared && ['contract', 'rules'].includes(shared[1]!) ? 'packages' : 'apps';
  const base = shared
    ? `${folder}/${shared[1]}/src/${shared[2] ?? 'index'}`
    : posix.join(posix.dirname(from), specifier);
  const candidates = [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`];
  return candidates.find((name) => known.has(name)) ?? base;
}

/** Reports each cycle once, at its closing import. */
export function findCycles(graph: ReadonlyMap<string, readonly Import[]>): Finding[] {
  const findings: Finding[] = [];
  const done = new Set<string>();
  const trail: string[] = [];

  const visit = (path: string) => {
    trail.push(path);
    for (const { target, line } of graph.get(path) ?? []) {
      if (target === undefined || done.has(target)) continue;
      const start = trail.indexOf(target);
      if (start < 0) visit(target);
      else {
        const cycle = [...trail.slice(start), target].join(' → ');
        findings.push({
          path,
          line,
          rule: 'no-cycles',
          message: `${cycle}: move what both need into a separate file`,
        });
      }
    }
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) if (!done.has(path)) visit(path);
  return findings;
}
