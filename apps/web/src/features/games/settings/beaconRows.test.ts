import { expect, it } from 'vitest';
import { beaconKeys, beaconRow, beaconUpdates, type BeaconField } from './beaconRows.ts';
import { textsOf } from './rowForm.ts';

const state = { address: 'https://beacon.example', isReady: true, last: null, away: null };
const game = { id: 'a', gameId: 'g', gameName: 'Game', beacons: ['gone', 'two'] };
const beacons = ['one', 'two'].map((publicKey) => ({ publicKey, ...state }));

it('has a column per server beacon and per beacon still used by a game', () => {
  const keys = beaconKeys({ beacons, data: [game] });
  expect(keys).toEqual(['one', 'two', 'gone']);
  expect(beaconRow(game, keys)).toEqual({ id: 'a', gameName: 'Game', beacon0: null, beacon1: 1, beacon2: 1 });
});

it('sends checked beacons in server order', () => {
  const keys = beaconKeys({ beacons, data: [game] });
  const row = beaconRow(game, keys);
  const texts = textsOf<BeaconField>([row], ['beacon0', 'beacon1', 'beacon2']);
  expect(beaconUpdates([row], { ...texts, 'a:beacon0': '1', 'a:beacon2': '' }, keys)).toEqual([
    { id: 'a', beacons: ['one', 'two'] },
  ]);
  expect(beaconUpdates([row], { ...texts, 'a:beacon1': '', 'a:beacon2': '' }, keys)).toEqual([
    { id: 'a', beacons: [] },
  ]);
});
