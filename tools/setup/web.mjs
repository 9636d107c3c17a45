import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { runQuietly } from './child.mjs';
import { pinnedNode } from './install.mjs';
import { hashOf, readStamp } from './stamp.mjs';

/** What browsers are sent, each built by itself: the back-office, and the client of the players. */
const APPS = [
  { name: 'web', title: 'Building the web app' },
  { name: 'players', title: "Building the players' client" },
];

/** Builds each of the apps for browsers when anything that goes into it has changed since its last build that succeeded. */
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
    'package-lock.json',
  ]);
  if (readStamp(stampFile) === hash) return;
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await runQuietly(title, pinnedNode(root), [vite, 'build'], {
    cwd: folder,
    logFile: path.join(root, '.cache', `${name}-build.log`),
  });
  compress(path.join(folder, 'dist'));
  // Written last: a build that was cut short leaves no stamp, and is done again.
  writeFileSync(stampFile, hash);
}

/** Writes .br and .gz beside every file of text, so that the server sends the small one without work. */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|css|html|svg|webmanifest)$/.test(name)) continue;
    const file = path.join(folder, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content));
  }
}
