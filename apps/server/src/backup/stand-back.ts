import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Whatever else runs goes first; where nothing does, who stands back has all there is. */
const NICE = 5;

/**
 * Has this process leave the processors to others, as far as they want them, with all its threads: where each has a priority of its own, those that
 * are made later have it from the one that makes them. What reads what a process of a database gives makes that wait too.
 */
export function standBack(): void {
  try {
    const behind = Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICE);
    if (process.platform === 'linux')
      for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), behind);
    else setPriority(behind);
  } catch {
    // Then it takes its share.
  }
}
