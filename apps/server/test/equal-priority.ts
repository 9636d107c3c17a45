import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const { setPriority } = os;

/**
 * Low priority would starve connections beside the tests' own load. As on machines without the right to lower it,
 * their processes keep normal priority.
 */
function forbidPriority(): void {
  os.setPriority = () => {
    throw new Error('Tests run at equal priority.');
  };
  syncBuiltinESMExports();
}

forbidPriority();

export async function withPriority(act: () => Promise<void>): Promise<void> {
  os.setPriority = setPriority;
  syncBuiltinESMExports();
  try {
    await act();
  } finally {
    forbidPriority();
  }
}
