import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { runQuietly } from './child.mjs';
import { pinnedNode } from './install.mjs';
import { hashOf, readStamp } from './stamp.mjs';

const APPS = [
  { name: 'web', title: 'Building the web app' },
  { name: 'players', title: "Building the players' client" },
];

/** Builds if an app's inputs changed since the last success. */
export async function ensureWebBuilt(root) {
  for (const app of APPS) await ensureAppBuilt(root, app);
}

async function ensureAppBuilt(root, { name, title }) {
  const folder = path.join(root, 'apps', name);
  const stampFile = path.join(folder, 'dist', '.stamp');
  const packages = readdirSync(path.join(root, 'packages')).toSorted();
  const hash = hashOf(root, [
    ...['src', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((part) => `apps/${name}/${part}`),
    ...packages.map((part) => `packages/${part}/src`),
    'tools/setup/lean-packages.ts',
    'package-lock.json',
  ]);
  if (readStamp(stampFile) === hash) return;
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await runQuietly(title, pinnedNode(root), [vite, 'build'], {
    cwd: folder,
    logFile: path.join(root, '.cache', `${name}-build.log`),
  });
  compress(path.join(folder, 'dist'));
  // Written last: an interrupted build leaves no stamp.
  writeFileSync(stampFile, hash);
}

/** Compresses text files as .br and .gz. */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|css|html|svg|webmanifest)$/.test(name)) continue;
    const file = path.join(folder, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
