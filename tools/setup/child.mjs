import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';

let running;
let stopSignal;

/**
 * The terminal and npm both deliver Ctrl-C. A separate process group gets it once, and this process outlives its child.
 */
function stop(signal) {
  if (stopSignal) return;
  stopSignal = signal;
  if (running) running.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
  else exitIfStopped();
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

// If npm is killed outright, the child stops too.
const parent = process.ppid;
const orphaned = () => process.ppid !== parent && stop('SIGTERM');
if (process.env.npm_lifecycle_event) setInterval(orphaned, 500).unref();

export function exitIfStopped() {
  if (stopSignal) process.exit(128 + constants.signals[stopSignal]);
}

export function runChild(program, args, options) {
  return new Promise((resolve, reject) => {
    running = spawn(program, args, { stdio: 'inherit', detached: process.platform !== 'win32', ...options });
    running.once('error', reject);
    running.once('exit', (code, signal) => {
      running = undefined;
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** Prints a step's output only if it fails. */
export async function runQuietly(title, program, args, { logFile, ...options }) {
  exitIfStopped();
  const startedAt = Date.now();
  console.log(`${title} …`);
  mkdirSync(path.dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w');
  const code = await runChild(program, args, { ...options, stdio: ['ignore', log, log] });
  closeSync(log);
  exitIfStopped();
  if (code !== 0) {
    const lines = readFileSync(logFile, 'utf8').split('\n');
    const shown = lines
      .filter((line) => !line.includes('EBADENGINE'))
      .join('\n')
      .trim();
    throw new Error(`${shown}\n\n${title}: failed with exit code ${code}. The full output is in ${logFile}`);
  }
  console.log(`${title}: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}
