import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';

let running;
let stopSignal;

/**
 * A terminal's Ctrl-C reaches every process of the foreground group, and npm passes it on once more. So the child runs in
 * a group of its own, is told exactly once, and this process stays until the child is gone: nothing is left behind.
 */
function stop(signal) {
  if (stopSignal) return;
  stopSignal = signal;
  if (running) running.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
  else exitIfStopped();
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

// npm killed outright passes nothing on: what it started ends with it all the same.
const parent = process.ppid;
const orphaned = () => process.ppid !== parent && stop('SIGTERM');
if (process.env.npm_lifecycle_event) setInterval(orphaned, 500).unref();

/** Ends this process the way a stopped one ends, if a signal came while it was setting up. */
export function exitIfStopped() {
  if (stopSignal) process.exit(128 + constants.signals[stopSignal]);
}

/** Runs a program on this terminal and returns its exit code; 128 + n when signal n ended it. */
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

/** Runs a step quietly: its output goes to a log, and is shown only when the step fails, which throws. */
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
    throw new Error(`${shown}\n\n${title}: failed with exit code ${code}. The whole output is in ${logFile}`);
  }
  console.log(`${title}: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}
