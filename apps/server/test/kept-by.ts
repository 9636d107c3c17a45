import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { makeKey, signerOf } from '../../../tools/keeper/keeper-keys.ts';
import { startKeeper } from '../../../tools/keeper/start-keeper.ts';
import type { RunningKeeper } from '../../../tools/keeper/start-keeper.ts';
import type { Clock } from '../src/clock.ts';
import type { KeepingOptions } from '../src/keepers/keeping.ts';

/** How a keeper's answers come through: as they are, not at all, after it was asked only, with a change, or not in time ({@link whileStalled}). */
export type Way =
  | 'well'
  | 'away'
  | 'lost'
  | ((answer: { results: Record<string, unknown>[] }) => void)
  | { readonly stalled: () => void };

/** The key of the servers of these tests. */
const OPERATOR = makeKey();
const sign = signerOf(OPERATOR);

/** A real keeper behind a door through which tests let its answers. */
export interface TestKeeper {
  readonly url: string;
  readonly dir: string;
  readonly publicKey: string;
  /** How answers to `/release` come through. */
  way: Way;
  /** So much its clock is behind that of the servers. */
  behindMs: number;
  /** How its answers to `/days/…` are changed. */
  shows: (day: Record<string, unknown>) => void;
  /** What it signs by its own key, beside what it says: as a dishonest keeper would. */
  readonly sign: (text: Uint8Array) => string;
  /** The draws whose seeds it was asked to release, each as often as it was. */
  readonly asked: string[];
  /** The roots of tickets for which the seed of each draw was asked. */
  readonly roots: ReadonlyMap<string, ReadonlySet<string>>;
  /** Ends the program, and starts it again on what is in its folder. */
  restart(between?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Starts a keeper of the time that a test moves. */
export async function startTestKeeper(clock: () => Clock, name: string): Promise<TestKeeper> {
  const dir = await mkdtemp(join(tmpdir(), 'kept-'));
  const start = (): Promise<RunningKeeper> =>
    startKeeper({
      dir,
      host: '127.0.0.1',
      port: 0,
      name,
      operator: OPERATOR.publicKey,
      drawsPerDay: 1_000,
      now: () => clock().now().getTime() - behindMs,
      failed: () => {},
      noted: () => {},
    });
  let behindMs = 0;
  let shows: TestKeeper['shows'] = () => {};
  let keeper = await start();
  let runs = true;
  let way: Way = 'well';
  const asked: string[] = [];
  const roots = new Map<string, Set<string>>();
  const note = ({ releases }: { releases: { drawId: string; ticketRoot: string }[] }): void => {
    for (const { drawId, ticketRoot } of releases) {
      asked.push(drawId);
      roots.set(drawId, (roots.get(drawId) ?? new Set()).add(ticketRoot));
    }
  };
  const door = createServer((request, response) => {
    void through(request, response).catch(() => response.destroy());
  });
  async function through(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isRelease = request.url === '/release';
    const body = await text(request);
    if (isRelease) note(JSON.parse(body) as Parameters<typeof note>[0]);
    if (way === 'away') return void response.destroy();
    if (isRelease && typeof way === 'object') return way.stalled();
    const answer = await fetch(`${keeper.url}${request.url}`, {
      method: request.method!,
      ...(body !== '' && { body, headers: { 'content-type': 'application/json' } }),
    });
    let content = await answer.text();
    if (isRelease && way === 'lost') return void response.destroy();
    if (isRelease && typeof way === 'function') {
      const changed = JSON.parse(content) as Parameters<typeof way>[0];
      way(changed);
      content = JSON.stringify(changed);
    }
    if (/^\/days\/[\d-]+$/.test(request.url!) && answer.status === 200) {
      const day = JSON.parse(content) as Record<string, unknown>;
      shows(day);
      content = JSON.stringify(day);
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(content);
  }
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    dir,
    publicKey: keeper.identity.publicKey,
    get way() {
      return way;
    },
    set way(next) {
      way = next;
    },
    get behindMs() {
      return behindMs;
    },
    set behindMs(next) {
      behindMs = next;
    },
    get shows() {
      return shows;
    },
    set shows(next) {
      shows = next;
    },
    sign: signerOf(keeper.identity),
    asked,
    roots,
    async restart(between) {
      await keeper.close();
      runs = false;
      await between?.();
      keeper = await start();
      runs = true;
    },
    async close() {
      door.closeAllConnections();
      door.close();
      if (runs) await keeper.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Has a keeper never answer what it is asked meanwhile: whoever asks has waited too long as soon as it has heard that, however quick the machine is. */
export async function whileStalled(keeper: TestKeeper, act: () => Promise<void>): Promise<void> {
  const calls: AbortController[] = [];
  const { fetch } = globalThis;
  const calling = vi.spyOn(globalThis, 'fetch').mockImplementation((to, init) => {
    if (to !== `${keeper.url}/release`) return fetch(to, init);
    const call = new AbortController();
    calls.push(call);
    return fetch(to, { ...init, signal: call.signal });
  });
  const stalled = (): void => {
    for (const call of calls.splice(0)) call.abort(new DOMException('It took too long.', 'TimeoutError'));
  };
  keeper.way = { stalled };
  try {
    await act();
  } finally {
    calling.mockRestore();
    keeper.way = 'well';
  }
}

/** What a server is given to have its seeds kept by these. No machine is so busy that a call is given up. */
export function keptBy(
  keepers: readonly Pick<TestKeeper, 'url' | 'publicKey'>[],
  more: Partial<KeepingOptions> = {},
): KeepingOptions {
  return {
    keepers: keepers.map(({ url, publicKey }) => ({ url, publicKey })),
    deadlineMs: 60_000,
    beacon: undefined,
    sign: (content) => Buffer.from(sign(content), 'hex'),
    timeoutMs: 100_000,
    ...more,
  };
}
