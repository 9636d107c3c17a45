import { setImmediate as turn } from 'node:timers/promises';
import { gameHistory } from '@drawhouse/contract/history';
import type { App } from '../../../apps/server/src/app.ts';
import { shown } from '../contest.ts';
import type { Promised } from '../contest.ts';

const MEBIBYTE = 1024 * 1024;
const LIMIT_MIB = 200;

/**
 * Reads a file of bets over a socket until it has so many rows, as a client would, and then leaves: what the server holds meanwhile, and
 * whether it says at first how many rows there are and stops when its client is gone.
 */
export async function measureFile(
  app: App,
  token: string,
  period: Record<string, string>,
  wanted: number,
): Promise<Promised[]> {
  const address = await app.http.listen({ host: '127.0.0.1', port: 0 });
  await turn();
  globalThis.gc?.();
  const base = process.memoryUsage().rss;
  let peak = base;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const leaving = new AbortController();
  const from = performance.now();
  let [rows, bytes, total] = [0, 0, 0];
  try {
    const reply = await fetch(
      `${address}/api/${gameHistory.route.path}/csv?${new URLSearchParams(period).toString()}`,
      {
        headers: { authorization: `Bearer ${token}` },
        signal: leaving.signal,
      },
    );
    if (!reply.ok || !reply.body) throw new Error(`The file answered ${reply.status}: ${await reply.text()}`);
    total = Number(reply.headers.get('x-total-rows'));
    for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) rows++;
      if (rows >= wanted) break;
    }
  } finally {
    leaving.abort();
    clearInterval(timer);
  }
  const seconds = (performance.now() - from) / 1000;
  console.log(
    `\nOf a file of ${shown(total)} rows ${shown(rows)} were read in ${shown(seconds)} s (${shown(bytes / MEBIBYTE)} MiB), then its client left.`,
  );
  return [
    {
      says: `memory beside a file of ${shown(rows)} rows`,
      value: (peak - base) / MEBIBYTE,
      atMost: LIMIT_MIB,
      unit: ' MiB',
    },
    { says: 'the file says how many rows it has', value: total, atLeast: Math.min(rows, wanted) - 2 },
    { says: 'statements that read on without a client', value: await stillReading(app), atMost: 0 },
  ];
}

async function stillReading({ services }: App): Promise<number> {
  const reading =
    "select count(*)::int as count from pg_stat_activity where state = 'active' and query like '%from tickets%' and pid <> pg_backend_pid()";
  for (let tries = 0; ; tries++) {
    const [row] = await services.db.query<{ count: number }>(reading);
    if (row!.count === 0 || tries === 100) return row!.count;
    await turn();
  }
}
