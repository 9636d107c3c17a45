import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../platform/time/clock.ts';
import { readBundle } from './write-bundle.ts';

const COMMAND = fileURLToPath(new URL('../../commands/run-support-bundle.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'bundle-'));
  dataDir = path.join(folder, 'data');
  await mkdir(dataDir);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Like the setup: from the project folder with another INIT_CWD. */
async function bundle(...args: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, INIT_CWD: folder, DATA_DIR: dataDir, PORT: '0' };
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: ROOT, env });
  const said = text(child.stderr);
  const [code] = (await once(child, 'close')) as [number];
  return { code, output: await said };
}

it("writes to DATA_DIR or a file relative to the caller's folder, and explains errors", async () => {
  expect(await bundle()).toMatchObject({ code: 0 });
  expect(await readdir(dataDir)).toEqual([expect.stringMatching(/^drawhouse-support-.*Z\.zip$/)]);
  expect(await bundle('mine.zip')).toMatchObject({ code: 0 });
  expect(await readdir(folder)).toContain('mine.zip');
  expect(await bundle('mine.zip')).toEqual({
    code: 1,
    output: `${path.join(folder, 'mine.zip')} already exists. Choose another FILE.\n`,
  });
  expect(await bundle('gone/mine.zip')).toEqual({
    code: 1,
    output: `The folder ${path.join(folder, 'gone')} does not exist. Choose a FILE in an existing folder that this user can write to.\n`,
  });
});

it("hides the seed key command's output", async () => {
  const SEED_KEY_COMMAND = `"${process.execPath}" -e "console.error(process.argv.at(-1)); process.exit(3)" secret-argument`;
  const files = await readBundle({
    env: { DATA_DIR: dataDir, PORT: '0', SEED_KEY_COMMAND },
    clock: systemClock,
    version: '1',
  });
  const all = Object.values(files).join('\n');
  expect(all).toContain('returned no key: it exited with code 3.');
  expect(all).not.toContain('secret-argument');
});
