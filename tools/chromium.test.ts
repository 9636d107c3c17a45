import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureChromium, findChromium } from './chromium.ts';

let folder: string;
let browser: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'chromium-'));
  browser = path.join(folder, 'chromium-browser');
  writeFileSync(browser, '');
  chmodSync(browser, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('takes CHROMIUM_PATH first, and says when it is wrong', () => {
  expect(findChromium({ CHROMIUM_PATH: browser, PATH: '' })).toBe(browser);
  expect(() => findChromium({ CHROMIUM_PATH: `${browser}-none`, PATH: folder })).toThrow('CHROMIUM_PATH');
});

it('finds the one of the system', () => {
  expect(findChromium({ PATH: `/no/such/folder:${folder}` })).toBe(browser);
});

describe('on a machine without one', () => {
  /** A package manager that notes what it is told, and does `act`. */
  const manager = (name: string, act: string): NodeJS.ProcessEnv => {
    const bin = path.join(folder, `with-${name}`);
    mkdirSync(bin);
    writeFileSync(path.join(bin, name), `#!/bin/sh\necho "$*" >> '${bin}/told'\n${act}\n`, { mode: 0o755 });
    return { PATH: bin };
  };
  const told = ({ PATH }: NodeJS.ProcessEnv): string[] =>
    readFileSync(path.join(PATH!, 'told'), 'utf8').trim().split('\n');
  /** Puts a browser beside itself. Absolute, for nothing else is on its PATH. */
  const installs = `case "$*" in *chromium*) /bin/ln -s '/bin/true' "\${0%/*}/chromium";; esac`;

  const expectInstalled = (env: NodeJS.ProcessEnv): void => {
    const asRoot = ensureChromium(
      env,
      () => 0,
      () => {},
    );
    expect(asRoot).toBe(path.join(env['PATH']!, 'chromium'));
  };

  it('installs it by the package manager as root, and takes what that brought', () => {
    const env = manager('apt-get', installs);
    expectInstalled(env);
    expect(told(env)).toEqual(['update', 'install -y --no-install-recommends chromium']);
  });

  it.each(['apk', 'dnf'])('knows %s too', (name) => {
    const env = manager(name, installs);
    expectInstalled(env);
  });

  it('installs nothing for anybody but root', () => {
    const env = { PATH: path.join(folder, 'with-apk') };
    rmSync(path.join(env.PATH, 'chromium'));
    const before = told(env);
    expect(() => ensureChromium(env, () => 1000)).toThrow('The browser tests need Chromium');
    expect(told(env)).toEqual(before);
  });

  it('says what to do when installing fails, and shows what the package manager said', () => {
    const env = manager('yum', 'exit 0');
    writeFileSync(path.join(env['PATH']!, 'dnf'), '#!/bin/sh\necho "no mirror answers"\nexit 1\n', { mode: 0o755 });
    const said: string[] = [];
    expect(() =>
      ensureChromium(
        env,
        () => 0,
        (line) => said.push(line),
      ),
    ).toThrow('install it, or set CHROMIUM_PATH');
    expect(said).toContain('no mirror answers');
  });
});

it('fails with a clear message where there is none and nothing to install it by', () => {
  expect(() => ensureChromium({ PATH: '/no/such/folder' })).toThrow('The browser tests need Chromium');
});
