import { QUICKNET } from '@drawhouse/rules/drand-chain';
import { expect, it } from 'vitest';
import { keptLines } from './draw-report.ts';
import { keptProblems } from './kept-report.ts';
import type { AnsweredDraw } from './read-draw.ts';

/** A round of quicknet as it was recorded (ideal-lab5/idn-sdk, the benchmarks of its randomness beacon). */
const ROUND_1000 = {
  round: 1000,
  signature: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
};
/** A round of another chain that signs as quicknet does, with the key of that chain (drand/drand-client, test/beacon-verification.test.ts). */
const OF_ANOTHER = {
  round: 38,
  signature: '95c93585c513ebbcb4777ff15599b3140e5ec0295faa0e483f3deadd88fa6d43f0d3703e3a4ce106e8fd6c6987f32126',
};
const ITS_KEY =
  '81d320f220ee9c79e60e19dedc838c31e3ab919b15481e9feb52f643628c4f6a13fdc52129493875a818109d767272ca0541cbcdcea9335f2870d781b39b845ba8cbd44fdfe4967781cf72ca5917fc9398bcf97ca0548ed5a709016c4b1ff0f3';

const withBeacon = (beacon: object): AnsweredDraw =>
  ({ keepers: [], beacon: { ...QUICKNET, ...beacon } }) as unknown as AnsweredDraw;

it('believes the chain that its hash stands for, and no signature of another one', () => {
  expect(keptProblems(withBeacon(ROUND_1000))).toEqual([]);
  expect(keptProblems(withBeacon(OF_ANOTHER))).toEqual(['The signature of round 38 is not that of the chain.']);
  expect(keptProblems(withBeacon({ ...OF_ANOTHER, publicKey: ITS_KEY }))).toEqual([
    expect.stringMatching(/^The chain of its round can't be the one that is named: hash is 52db9ba7/),
  ]);
});

it('says drand of the chain alone that is known to be one, and of any other its hash', () => {
  const said = (hash: string): string => keptLines(withBeacon({ ...ROUND_1000, hash })).join('\n');
  expect(said(QUICKNET.hash)).toContain('round 1000 of drand is the first');
  const own = 'ab'.repeat(32);
  expect(said(own)).toContain(`a chain that this program does not know: ${own}`);
  expect(said(own)).not.toContain('drand');
});
