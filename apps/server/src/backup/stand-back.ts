import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const NICE = 5;

/** Also slows the PostgreSQL process it reads from. Threads have own priorities on Linux; new ones inherit. */
export function standBack(): void {
  try {
    const behind = Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICE);
    if (process.platform === 'linux')
      for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), behind);
    else setPriority(behind);
  } catch {
    // Keeps normal priority.
  }
}
