import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const NICE = 5;

/**
 * Lowers the priority of all threads, which on Linux have their own; new ones inherit it. A slow reader also slows the
 * PostgreSQL process behind it.
 */
export function lowerPriority(): void {
  try {
    const behind = Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICE);
    if (process.platform === 'linux')
      for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), behind);
    else setPriority(behind);
  } catch {
    // Keeps normal priority.
  }
}
