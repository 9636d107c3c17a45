import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Beacon } from '@drawhouse/rules/fair/beacon-rounds';
import { beaconPublicKey, newBeaconKey, signRound } from '@drawhouse/rules/fair/beacon-signature';
import type { BeaconAddress } from '../../src/config/outside-services.ts';

export type BeaconWay = 'well' | 'away' | 'not yet' | 'forged' | 'another round' | 'slow';

export interface TestBeacon extends Beacon {
  readonly address: BeaconAddress;
  way: BeaconWay;
  readonly asked: number[];
  sign(round: number): string;
  answerHeld(): void;
  close(): Promise<void>;
}

/** New key, three-second rounds. */
export async function startTestBeacon(): Promise<TestBeacon> {
  const [own, other] = [newBeaconKey(), newBeaconKey()];
  const beacon: Beacon = { publicKey: beaconPublicKey(own), genesisTime: 1_700_000_000, period: 3 };
  const asked: number[] = [];
  const pendingAnswers: (() => void)[] = [];
  const state: { way: BeaconWay } = { way: 'well' };
  const server = createServer((request, response) => {
    const answer = (status: number, json: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (request.url === '/info') {
      const { publicKey: public_key, genesisTime: genesis_time, period } = beacon;
      return answer(200, { public_key, genesis_time, period, schemeID: 'bls-unchained-g1-rfc9380' });
    }
    const round = Number(/^\/public\/(\d+)$/.exec(request.url!)?.[1]);
    asked.push(round);
    switch (state.way) {
      case 'away':
        return void response.destroy();
      case 'slow':
        return void pendingAnswers.push(() => answer(200, { round, signature: signRound(own, round) }));
      case 'not yet':
        return answer(404, { error: 'to come' });
      case 'another round':
        return answer(200, { round: round - 1, signature: signRound(own, round - 1) });
      default:
        return answer(200, { round, signature: signRound(state.way === 'forged' ? other : own, round) });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...beacon,
    address: {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      publicKey: beacon.publicKey,
    },
    get way() {
      return state.way;
    },
    set way(next) {
      state.way = next;
    },
    asked,
    sign: (round) => signRound(own, round),
    answerHeld() {
      for (const reply of pendingAnswers.splice(0)) reply();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
