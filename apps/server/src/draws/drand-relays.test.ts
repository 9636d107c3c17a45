import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUICKNET } from '@drawhouse/rules/drand';
import { afterEach, describe, expect, it } from 'vitest';
import { drandChainOf, DrandRelays } from './drand-relays.ts';

/** Rounds of quicknet as they were recorded: drand.test.ts says where. */
const RECORDED: Readonly<Record<number, string>> = {
  1000: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
  1001: 'b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41',
};
const RANDOMNESS_1000 = 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd';

/** However busy the machine is. */
const UNHURRIED_MS = 60_000;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** A relay on this machine; gives its address. */
async function relay(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A relay that has these rounds, and counts what it is asked. */
async function honest(asked: string[] = []): Promise<string> {
  return relay((request, response) => {
    asked.push(request.url!);
    const round = Number(request.url!.split('/').at(-1));
    const signature = RECORDED[round];
    response.statusCode = signature === undefined ? 425 : 200;
    response.end(JSON.stringify({ round, signature, randomness: 'is not looked at' }));
  });
}

const answering = (body: unknown, status = 200): Promise<string> =>
  relay((_, response) => {
    response.statusCode = status;
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });

const hex = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('hex');

describe('rounds of relays', () => {
  it('are asked for by their chain, once for all who need them, and kept', async () => {
    const asked: string[] = [];
    const relays = new DrandRelays([await honest(asked)], QUICKNET, UNHURRIED_MS);
    const rounds = await Promise.all([relays.round(1000), relays.round(1000), relays.round(1001)]);
    expect(rounds.map((each) => each?.round)).toEqual([1000, 1000, 1001]);
    expect(hex(rounds[0]?.randomness)).toBe(RANDOMNESS_1000);
    await relays.round(1000);
    expect(asked.toSorted()).toEqual([1000, 1001].map((round) => `/${QUICKNET.hash}/public/${round}`));
  });

  it('that are not there yet are undefined, and asked for again the next time', async () => {
    const asked: string[] = [];
    const relays = new DrandRelays([await honest(asked)], QUICKNET, UNHURRIED_MS);
    expect([await relays.round(1002), await relays.round(1002)]).toEqual([undefined, undefined]);
    expect(asked).toHaveLength(2);
  });

  it('are not waited for where a relay does not answer in time', async () => {
    const silent = await relay(() => undefined);
    await expect(new DrandRelays([silent], QUICKNET, 100).round(1000)).rejects.toThrow(/timeout/);
  });

  it('come from the next relay after one that lies, is broken or is not there', async () => {
    const liars: [string, RegExp][] = [
      [await answering({ round: 1000, signature: RECORDED[1001] }), /signature is not that of the chain/],
      [await answering({ round: 1001, signature: RECORDED[1001] }), /it answers round 1001/],
      [await answering({ round: 1000 }), /signature must be hex digits/],
      [await answering('<html>'), /JSON/],
      [await answering('"'.repeat(9_000)), /more than 8192 bytes/],
      [await answering('busy', 503), /status 503/],
      ['http://127.0.0.1:1', /fetch failed|ECONNREFUSED/],
    ];
    const relays = new DrandRelays([...liars.map(([url]) => url), await honest()], QUICKNET, UNHURRIED_MS);
    for (const [url, reason] of liars) {
      const failed = await relays.round(1000).catch((error: Error) => error.message);
      expect(failed).toMatch(reason);
      expect(failed).toContain(`The drand relay ${url} gave no round 1000: `);
    }
    expect(hex((await relays.round(1000))?.randomness)).toBe(RANDOMNESS_1000);
  });
});

describe('the chain of a file', () => {
  it('is checked by its hash; without a file it is quicknet', async () => {
    expect(await drandChainOf(undefined)).toBe(QUICKNET);
    const dir = await mkdtemp(join(tmpdir(), 'drawhouse-drand-'));
    try {
      const file = join(dir, 'info.json');
      await expect(drandChainOf(file)).rejects.toThrow(/^DRAND_CHAIN_FILE can't be used: .*ENOENT/);
      const { publicKey, period, genesisTime, hash, groupHash, scheme } = QUICKNET;
      const info = {
        public_key: publicKey,
        period,
        genesis_time: genesisTime,
        hash,
        groupHash,
        schemeID: scheme,
        metadata: { beaconID: 'quicknet' },
      };
      await writeFile(file, JSON.stringify(info));
      expect(await drandChainOf(file)).toEqual(QUICKNET);
      await writeFile(file, JSON.stringify({ ...info, period: 30 }));
      await expect(drandChainOf(file)).rejects.toThrow(/^DRAND_CHAIN_FILE can't be used: hash is/);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
