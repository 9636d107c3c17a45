import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ensureChromium, findChromium, findHeadlessShell, requireChromium } from './chromium.ts';

let folder: string;
let browser: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'chromium-'));
  browser = path.join(folder, 'chromium-browser');
  writeFileSync(browser, '');
  chmodSync(browser, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('prefers CHROMIUM_PATH and reports a wrong one', () => {
  expect(findChromium({ CHROMIUM_PATH: browser, PATH: '' })).toBe(browser);
  expect(() => requireChromium({ CHROMIUM_PATH: `${browser}-none`, PATH: folder })).toThrow('CHROMIUM_PATH');
});

it("finds the system's browser", () => {
  expect(requireChromium({ PATH: `/no/such/folder:${folder}` })).toBe(browser);
});

it.each(['', '/no/such/browser'])(
  'reads the browser test configuration without a browser: CHROMIUM_PATH=%s',
  async (given) => {
    vi.stubEnv('PATH', '/no/such/folder');
    vi.stubEnv('CHROMIUM_PATH', given);
    vi.resetModules();
    const { default: config } = await import('../../playwright.config.ts');
    expect(config.testDir).toBe('apps/web/e2e');
    vi.unstubAllEnvs();
  },
);

describe('on a machine without a browser', () => {
  const FONT_FILE = 'DejaVuSans.ttf';
  const INSTALLS = `case "$*" in *shell*) ;; *chromium*) /bin/ln -s '/bin/true' "\${0%/*}/chromium";; esac`;
  const INSTALLS_SHELL = `case "$*" in *shell*) /bin/ln -s '/bin/true' "\${0%/*}/chromium-headless-shell";; esac`;
  const INSTALLS_FONT = `case "$*" in *dejavu*) /bin/ln -s '/bin/true' "\${0%/*}/fonts/${FONT_FILE}";; esac`;

  const machine = (name: string, act: string, { font = true } = {}): NodeJS.ProcessEnv => {
    const bin = mkdtempSync(path.join(folder, `${name}-`));
    mkdirSync(path.join(bin, 'fonts'));
    if (font) writeFileSync(path.join(bin, 'fonts', FONT_FILE), '');
    writeFileSync(path.join(bin, name), `#!/bin/sh\necho "$*" >> '${bin}/told'\n${act}\n`, { mode: 0o755 });
    return { PATH: bin, HOME: bin, XDG_DATA_DIRS: bin };
  };
  const searchPaths = ({ PATH }: NodeJS.ProcessEnv): string[] => {
    const file = path.join(PATH!, 'told');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };
  const ensure = (env: NodeJS.ProcessEnv, userId: number, printed: string[] = []): string =>
    ensureChromium({ env, userId: () => userId, print: (line) => printed.push(line) });

  it('installs one by the package manager as root and uses it', () => {
    const env = machine('apt-get', INSTALLS);
    expect(ensure(env, 0)).toBe(path.join(env['PATH']!, 'chromium'));
    expect(searchPaths(env).slice(0, 2)).toEqual(['update', 'install -y --no-install-recommends chromium']);
  });

  it('installs the headless shell if packaged and continues if that fails', () => {
    const env = machine('apt-get', `${INSTALLS}\n${INSTALLS_SHELL}`);
    ensure(env, 0);
    expect(findHeadlessShell(env)).toBe(path.join(env['PATH']!, 'chromium-headless-shell'));
    expect(searchPaths(env).at(-1)).toBe('install -y --no-install-recommends chromium-headless-shell');

    const without = machine('apt-get', INSTALLS);
    expect(ensure(without, 0)).toBe(path.join(without['PATH']!, 'chromium'));
    expect(findHeadlessShell(without)).toBeUndefined();

    const unknown = machine('apk', INSTALLS);
    ensure(unknown, 0);
    expect(searchPaths(unknown)).toEqual(['add --no-cache chromium']);
  });

  it('skips the headless shell if CHROMIUM_PATH is set', () => {
    const env: NodeJS.ProcessEnv = { ...machine('apt-get', ''), CHROMIUM_PATH: browser };
    ensure(env, 0);
    expect(searchPaths(env)).toEqual([]);
    const shell = path.join(env['PATH']!, 'chromium-headless-shell');
    writeFileSync(shell, '', { mode: 0o755 });
    expect(findHeadlessShell(env)).toBeUndefined();
  });

  it.each([
    ['apt-get', 'install -y --no-install-recommends fonts-dejavu-core'],
    ['apk', 'add --no-cache font-dejavu'],
    ['dnf', 'install -y dejavu-sans-fonts'],
  ])('also installs a missing font by %s', (name, command) => {
    const env = machine(name, `${INSTALLS}\n${INSTALLS_FONT}`, { font: false });
    expect(ensure(env, 0)).toBe(path.join(env['PATH']!, 'chromium'));
    expect(searchPaths(env).at(-1)).toBe(command);
  });

  it('trusts fontconfig over folders', () => {
    const env = machine('apk', INSTALLS);
    const list = path.join(env['PATH']!, 'fc-list');
    writeFileSync(list, '#!/bin/sh\n', { mode: 0o755 });
    expect(() => ensure(env, 0)).toThrow('The browser tests need a font');
    writeFileSync(list, '#!/bin/sh\necho /nix/DejaVuSans.ttf: DejaVu Sans:style=Book\n');
    expect(ensure(env, 0)).toBe(path.join(env['PATH']!, 'chromium'));
  });

  it('installs nothing without root and names the packages', () => {
    const env = machine('apt-get', '', { font: false });
    expect(() => ensure(env, 1000)).toThrow(
      'The browser tests need Chromium: install it (as root: apt-get update && apt-get install -y ' +
        '--no-install-recommends chromium), or set CHROMIUM_PATH to the program.',
    );
    expect(() => ensure({ ...env, CHROMIUM_PATH: browser }, 1000)).toThrow(
      'The browser tests need a font: install one (as root: apt-get update && apt-get install -y ' +
        '--no-install-recommends fonts-dejavu-core).',
    );
    expect(searchPaths(env)).toEqual([]);
  });

  it("shows the package manager's output and instructions if installation fails", () => {
    const printed: string[] = [];
    expect(() => ensure(machine('dnf', 'echo "no mirror answers"\nexit 1'), 0, printed)).toThrow(
      'install it (as root: dnf',
    );
    expect(printed).toContain('no mirror answers');
  });
});

it('fails with a clear message without browser and package manager', () => {
  expect(() => ensureChromium({ env: { PATH: '/no/such/folder' }, userId: () => 0, print: () => {} })).toThrow(
    'The browser tests need Chromium: install it, or set CHROMIUM_PATH to the program.',
  );
});
