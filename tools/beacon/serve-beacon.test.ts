import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { roundTimeMs } from '@drawhouse/rules/fair/beacon-rounds';
import { isRoundSignature } from '@drawhouse/rules/fair/beacon-signature';
import { fetchBeacon, HttpCachingChain, HttpChainClient, MultiBeaconNode } from 'drand-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBeaconKey, serveBeacon, type RunningBeacon } from './serve-beacon.ts';

let folder: string;
let beacon: RunningBeacon;
let nowMs = Date.parse('2026-03-10T10:00:00Z');
const read = async (path: string) => {
  const response = await fetch(beacon.url + path);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beacon-'));
  const key = await ensureBeaconKey(join(folder, 'beacon.key'));
  beacon = await serveBeacon(key, { host: '127.0.0.1', port: 0, nowMs: () => nowMs });
});
afterAll(async () => {
  await beacon.close();
  await rm(folder, { recursive: true });
});

const current = (): number => Math.floor((nowMs - roundTimeMs(beacon, 1)) / 1_000) + 1;

describe('a self-hosted beacon', () => {
  it('works with drand’s own client', async () => {
    const options = {
      disableBeaconVerification: false,
      noCache: true,
      chainVerificationParams: { chainHash: beacon.hash, publicKey: beacon.publicKey },
    };
    const client = new HttpChainClient(new HttpCachingChain(`${beacon.url}/${beacon.hash}`, options), options);
    // The client computes the latest round from this machine's clock.
    nowMs = Date.now() + 10_000;
    const { round, signature } = await fetchBeacon(client);
    expect(round).toBeLessThanOrEqual(current());
    expect(isRoundSignature(beacon.publicKey, round, signature)).toBe(true);
    expect((await fetchBeacon(client, 1)).round).toBe(1);
    const chains = await new MultiBeaconNode(beacon.url, options).chains();
    expect(chains.map(({ baseUrl }) => baseUrl)).toEqual([`${beacon.url}/${beacon.hash}`]);
  });

  it('serves drand’s HTTP API at its root and below its chain hash', async () => {
    const { body: info } = await read('/info');
    expect(info).toMatchObject({
      public_key: beacon.publicKey,
      genesis_time: beacon.genesisTime,
      period: beacon.period,
      hash: beacon.hash,
      schemeID: 'bls-unchained-g1-rfc9380',
      metadata: { beaconID: 'drawhouse' },
    });
    expect((await read(`/${beacon.hash}/info`)).body).toEqual(info);
    expect((await read('/chains')).body).toEqual([beacon.hash]);
    const { body: latest } = await read(`/${beacon.hash}/public/latest`);
    expect(latest['round']).toBe(current());
    const signature = Buffer.from(String(latest['signature']), 'hex');
    expect(latest['randomness']).toBe(createHash('sha256').update(signature).digest('hex'));
    expect(isRoundSignature(beacon.publicKey, current(), signature.toString('hex'))).toBe(true);
  });

  it('signs a round only after its time', async () => {
    const round = current() + 1;
    nowMs = roundTimeMs(beacon, round) - 1;
    expect(await read(`/public/${round}`)).toMatchObject({
      status: 404,
      body: { error: `Round ${round} is not due yet.` },
    });
    nowMs += 1;
    const { status, body } = await read(`/public/${round}`);
    expect(status).toBe(200);
    expect(isRoundSignature(beacon.publicKey, round, String(body['signature']))).toBe(true);
  });

  it('returns the same values with the same key after a restart', async () => {
    const again = await serveBeacon(await ensureBeaconKey(join(folder, 'beacon.key')), {
      host: '127.0.0.1',
      port: 0,
      nowMs: () => nowMs,
    });
    const other: unknown = await (await fetch(`${again.url}/public/7`)).json();
    await again.close();
    expect((await read('/public/7')).body).toEqual(other);
  });

  it.each(['/public/0', '/public/-1', '/public/1.5', '/public/99999999999999999', '/public/', '/other'])(
    'answers 404 at %s',
    async (path) => expect((await read(path)).status).toBe(404),
  );

  it('stores its key readable only by its owner and refuses a file without one', async () => {
    const file = join(folder, 'beacon.key');
    expect(await readFile(file, 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o077).toBe(0);
    await writeFile(join(folder, 'other.key'), 'no key');
    await expect(ensureBeaconKey(join(folder, 'other.key'))).rejects.toThrow('must contain 64 hex digits');
  });
});
