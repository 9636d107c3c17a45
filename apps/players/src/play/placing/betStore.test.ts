import { expect, it } from 'vitest';
import { betStore, type BetStorage } from './betStore.ts';
import { newBet } from './pendingBet.ts';

function storage(most = Infinity): BetStorage & { entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get length() {
      return entries.size;
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, text) => {
      if (entries.size >= most) throw new DOMException('full', 'QuotaExceededError');
      entries.set(name, text);
    },
    removeItem: (name) => void entries.delete(name),
  };
}

const bet = (requestId: string, accountId = 'a') =>
  newBet({ requestId, accountId, gameId: 'g', drawId: 'd', closesAt: 1_000, lines: [], stake: 1 });

it('keeps bets per account, oldest first', () => {
  const shared = storage();
  const [own, other] = [betStore(shared, 'a'), betStore(shared, 'b')];
  expect([own.save(bet('2')), own.save(bet('1')), other.save(bet('3', 'b'))]).toEqual([true, true, true]);
  expect(own.stored()).toEqual([bet('1'), bet('2')]);
  own.remove('1');
  expect(own.stored()).toEqual([bet('2')]);
  expect(other.stored()).toEqual([bet('3', 'b')]);
});

it('reports unavailable storage and skips invalid entries', () => {
  expect(betStore(storage(0), 'a').save(bet('1'))).toBe(false);
  const shared = storage();
  for (const [name, text] of Object.entries({
    x: '{',
    y: 'null',
    z: '{"requestId":"z"}',
    other: JSON.stringify(bet('o', 'b')),
  }))
    shared.entries.set(`bet/a/${name}`, text);
  expect(betStore(shared, 'a').stored()).toEqual([]);
});

it('drops only bets decided a day ago', () => {
  const shared = storage();
  const store = betStore(shared, 'a');
  store.save(bet('open'));
  store.save({ ...bet('placed'), outcome: { kind: 'placed', ticket: null } });
  store.sweep(24 * 60 * 60_000);
  expect(store.stored()).toHaveLength(2);
  store.sweep(24 * 60 * 60_000 + 2_000);
  expect(store.stored()).toEqual([bet('open')]);
});
