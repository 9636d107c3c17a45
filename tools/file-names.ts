import path from 'node:path';
import type { Finding, SourceFile } from './source.ts';

/** Names that tools give, and that say by their folder what they are of. */
const OF_TOOLS: ReadonlySet<string> = new Set(['package.json', 'tsconfig.json', 'README.md']);

/** Every file whose name another file has too: a name is found once in the repository, so that whoever looks for it finds one file. */
export function checkFileNames(files: readonly Pick<SourceFile, 'path'>[]): readonly Finding[] {
  const byName = Map.groupBy(files, (file) => path.posix.basename(file.path));
  return [...byName].flatMap(([name, same]) =>
    same.length > 1 && !OF_TOOLS.has(name)
      ? same.map((file) => ({
          path: file.path,
          line: 1,
          rule: 'one-name',
          message: `the name is that of ${same.find((other) => other !== file)!.path} too: say what this one is of`,
        }))
      : [],
  );
}
