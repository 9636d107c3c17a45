import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { roundTimeMs, type Beacon } from '@drawhouse/rules/fair/beacon-rounds';
import { beaconPublicKey, newBeaconKey, signRound } from '@drawhouse/rules/fair/beacon-signature';
import { writeSecret } from '../../apps/server/src/platform/db/embedded/durable-file.ts';

/** Fixed times, so a beacon needs only its key and a clock. Round 1 was at 2026-01-01T00:00:00Z. */
const TIMES = { genesisTime: 1_767_225_600, period: 1 } as const;
const BEACON_ID = 'drawhouse';
const SECOND_MS = 1_000;

/** The key is 64 hex digits, created at the first start. */
export async function ensureBeaconKey(file: string): Promise<Uint8Array> {
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (stored === undefined) {
    const secretKey = newBeaconKey();
    await writeSecret(file, Buffer.from(secretKey).toString('hex'));
    return secretKey;
  }
  if (!/^[0-9a-f]{64}$/.test(stored.trim())) throw new Error(`${file} must contain 64 hex digits.`);
  return Buffer.from(stored.trim(), 'hex');
}

interface ChainInfo {
  readonly public_key: string;
  readonly period: number;
  readonly genesis_time: number;
  readonly hash: string;
  readonly groupHash: string;
  readonly schemeID: string;
  readonly metadata: { readonly beaconID: string };
}

function infoOf({ publicKey, period, genesisTime }: Beacon): ChainInfo {
  const key = Buffer.from(publicKey, 'hex');
  const groupHash = createHash('sha256').update(key).digest();
  const times = Buffer.alloc(12);
  times.writeUInt32BE(period);
  times.writeBigInt64BE(BigInt(genesisTime), 4);
  // drand's chain hash.
  const hash = createHash('sha256').update(times).update(key).update(groupHash).update(BEACON_ID).digest('hex');
  return {
    public_key: publicKey,
    period,
    genesis_time: genesisTime,
    hash,
    groupHash: groupHash.toString('hex'),
    schemeID: 'bls-unchained-g1-rfc9380',
    metadata: { beaconID: BEACON_ID },
  };
}

export interface RunningBeacon extends Beacon {
  readonly url: string;
  readonly hash: string;
  close(): Promise<void>;
}

/** Serves drand's HTTP API. Never signs a round before its time. */
export async function serveBeacon(
  secretKey: Uint8Array,
  { host, port, nowMs }: { readonly host: string; readonly port: number; readonly nowMs: () => number },
): Promise<RunningBeacon> {
  const beacon: Beacon = { publicKey: beaconPublicKey(secretKey), ...TIMES };
  const info = infoOf(beacon);
  const latest = (): number => Math.floor((nowMs() / SECOND_MS - TIMES.genesisTime) / TIMES.period) + 1;

  function answerRound(round: number): { status: number; body: object } {
    if (!Number.isSafeInteger(round) || round < 1) return { status: 404, body: { error: 'There is no such round.' } };
    if (roundTimeMs(beacon, round) > nowMs()) return { status: 404, body: { error: `Round ${round} is not due yet.` } };
    const signature = signRound(secretKey, round);
    const randomness = createHash('sha256').update(Buffer.from(signature, 'hex')).digest('hex');
    return { status: 200, body: { round, randomness, signature } };
  }

  function answer(path: string): { status: number; body: object } {
    const route = path.startsWith(`/${info.hash}/`) ? path.slice(info.hash.length + 1) : path;
    if (route === '/info') return { status: 200, body: info };
    if (route === '/chains') return { status: 200, body: [info.hash] };
    if (route === '/health') return { status: 200, body: { current: latest(), expected: latest() } };
    const [, round] = /^\/public\/(latest|[1-9]\d{0,15})$/.exec(route) ?? [];
    return round === undefined
      ? { status: 404, body: { error: 'There is no such path.' } }
      : answerRound(round === 'latest' ? latest() : Number(round));
  }

  const server = createServer(({ method, url }, response) => {
    const { status, body } =
      method === 'GET'
        ? answer(new URL(url ?? '/', 'http://beacon').pathname)
        : { status: 405, body: { error: 'Only GET is served.' } };
    response.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    response.end(JSON.stringify(body));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    ...beacon,
    hash: info.hash,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
