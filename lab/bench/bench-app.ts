import { pino } from 'pino';
import { createApp } from '../../apps/server/src/compose/app.ts';
import type { App } from '../../apps/server/src/compose/app.ts';
import { systemClock } from '../../apps/server/src/platform/time/clock.ts';
import type { Clock } from '../../apps/server/src/platform/time/clock.ts';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { httpLimits } from '../../apps/server/src/platform/http/limits/http-limits.ts';

/** Runs a bench against the product without a socket. Sign-in waits are disabled. */
export async function withBenchApp(
  db: Database,
  bench: (app: App) => Promise<void>,
  { clock = systemClock, timeZone = 'UTC' }: { clock?: Clock; timeZone?: string } = {},
): Promise<void> {
  const app = await createApp({
    db,
    clock,
    seedKey: '5a'.repeat(32),
    timeZone,
    logger: pino({ level: 'silent' }),
    trustProxy: false,
    backup: { connectionString: () => '', dir: '', key: undefined },
    limits: httpLimits({ sessionCallsPerSecond: 100_000, addressCallsPerSecond: 100_000 }),
    version: 'bench',
  });
  try {
    await bench(app);
  } finally {
    await app.close();
  }
}

export async function signIn(app: App, username: string, password: string): Promise<string> {
  const payload = { username, password };
  const reply = await app.http.inject({ method: 'POST', url: '/api/auth/login', payload });
  return reply.json<{ token: string }>().token;
}
