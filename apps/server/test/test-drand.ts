import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chainHash } from '@drawhouse/rules/drand';
import type { DrandChain } from '@drawhouse/rules/drand-chain';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { createHash } from 'node:crypto';
import type { BeaconAddress } from '../src/keeping-settings.ts';

/** How a relay answers for rounds: as they are, as if they were not there yet, not at all, or with a signature of another key or round. */
export type DrandWay = 'well' | 'not yet' | 'away' | 'forged' | 'another round';

/** A chain of the scheme of quicknet with one member, whose rounds are signed when they are asked for. */
export interface TestDrand {
  readonly address: BeaconAddress;
  readonly chain: DrandChain;
  way: DrandWay;
  /** The rounds that it was asked for, each as often as it was. */
  readonly asked: number[];
  close(): Promise<void>;
}

const TAG = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';

/** What a member of a chain signs of a round, by a key of it. */
function signed(round: number, key: Uint8Array): string {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(round));
  const { shortSignatures } = bls12_381;
  const point = shortSignatures.hash(createHash('sha256').update(number).digest(), TAG);
  return shortSignatures.sign(point, key).toHex();
}

/** Starts a relay of a chain of its own. */
export async function startTestDrand(): Promise<TestDrand> {
  const [own, other] = [bls12_381.shortSignatures.keygen(), bls12_381.shortSignatures.keygen()];
  const rest = {
    publicKey: own.publicKey.toHex(),
    period: 3,
    genesisTime: 1_700_000_000,
    groupHash: 'ab'.repeat(32),
    scheme: 'bls-unchained-g1-rfc9380',
    beaconId: 'test',
  } as const;
  const chain: DrandChain = { hash: chainHash(rest), ...rest };
  const info = {
    public_key: chain.publicKey,
    period: chain.period,
    genesis_time: chain.genesisTime,
    hash: chain.hash,
    groupHash: chain.groupHash,
    schemeID: chain.scheme,
    metadata: { beaconID: chain.beaconId },
  };
  const asked: number[] = [];
  let way: DrandWay = 'well';
  const relay = createServer((request, response) => {
    const answer = (status: number, json: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (request.url === `/${chain.hash}/info`) return answer(200, info);
    const round = Number(new RegExp(`^/${chain.hash}/public/(\\d+)$`).exec(request.url!)?.[1] ?? NaN);
    if (Number.isNaN(round)) return answer(404, {});
    asked.push(round);
    if (way === 'away') return void response.destroy();
    if (way === 'not yet') return answer(404, { error: 'not yet' });
    const told = way === 'another round' ? round - 1 : round;
    answer(200, { round, signature: signed(told, (way === 'forged' ? other : own).secretKey) });
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  return {
    address: { url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`, hash: chain.hash },
    chain,
    get way() {
      return way;
    },
    set way(next) {
      way = next;
    },
    asked,
    async close() {
      relay.closeAllConnections();
      relay.close();
      await once(relay, 'close');
    },
  };
}
