import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import type { ConnectOptions } from '../src/platform/db/database.ts';
import { COMMAND_TIMEOUTS } from '../src/platform/db/connection/timeouts.ts';

/** The listener may be silent for less than a minute, which some tests skip. */
export const PATIENT: Pick<ConnectOptions, 'patience' | 'listening'> = {
  patience: { ...COMMAND_TIMEOUTS, connectMs: COMMAND_TIMEOUTS.lockMs, idleMs: COMMAND_TIMEOUTS.lockMs },
  listening: { answerWithinMs: 20_000, currentForMs: 40_000 },
};

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
