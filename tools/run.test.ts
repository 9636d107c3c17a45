import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { root } from './run.ts';

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s stops all running programs and starts no later ones', async (signal, code) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'run-'));
  const part = path.join(folder, 'part.mjs');
  writeFileSync(
    part,
    `console.log('runs ' + process.argv[2]);
     setInterval(() => {}, 1000);
     if (process.argv[2] === 'slow') process.on('${signal}', () => setTimeout(() => process.exit(), 500));`,
  );
  const program = path.join(folder, 'program.mjs');
  writeFileSync(
    program,
    `import { runScript, stopTogether } from ${JSON.stringify(path.join(root, 'tools/run.ts'))};
     stopTogether();
     const say = (line) => console.log(line);
     const run = (name) => runScript(${JSON.stringify(part)}, [name], { say });
     void run('slow');
     await run('first');
     await run('second');`,
  );
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  while (lines.length < 2) await once(reader, 'line');
  const ended = once(child, 'close');
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
  expect(lines.toSorted()).toEqual(['runs first', 'runs slow']);
  rmSync(folder, { recursive: true });
});
