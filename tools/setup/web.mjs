import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { runQuietly } from './child.mjs';
import { pinnedNode } from './install.mjs';
import { hashOf, readStamp } from './stamp.mjs';

/** Builds the web app when anything that goes into it has changed since the last build that succeeded. */
export async function ensureWebBuilt(root) {
  const web = path.join(root, 'apps', 'web');
  const stampFile = path.join(web, 'dist', '.stamp');
  const packages = readdirSync(path.join(root, 'packages')).toSorted();
  const hash = hashOf(root, [
    ...['src', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => `apps/web/${name}`),
    ...packages.map((name) => `packages/${name}/src`),
    'package-lock.json',
  ]);
  if (readStamp(stampFile) === hash) return;
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await runQuietly('Building the web app', pinnedNode(root), [vite, 'build'], {
    cwd: web,
    logFile: path.join(root, '.cache', 'web-build.log'),
  });
  compress(path.join(web, 'dist'));
  // Written last: a build that was cut short leaves no stamp, and is done again.
  writeFileSync(stampFile, hash);
}

/** Writes .br and .gz beside every file of text, so that the server sends the small one without work. */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|css|html|svg)$/.test(name)) continue;
    const file = path.join(folder, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content));
  }
}
