import { ticketDigest } from '@drawhouse/rules/fair/fair';
import { inclusionPath, treeRoot } from '@drawhouse/rules/fair/tree/merkle';
import { rulesFor } from '@drawhouse/rules/games/rules';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { proveBet, type ProvedBet } from './proveBet.ts';

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const idOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const drawId = idOf(900_000);
const game = { gameId: 'lottery3d', family: 'lottery3d', digits: 1000 } as const;
const rules = rulesFor(game);
const lines = [
  { drawno: '123', head: 'straight', qty: 10 },
  { drawno: '12', head: 'fp', qty: 2 },
].map((line) => ({ ...line, stake: line.qty, win: null }));

function proved(size: number, index: number) {
  const digests = Array.from({ length: size }, (_, place) =>
    ticketDigest({
      ticketId: idOf(place),
      drawId,
      stake: 1200n,
      lines: lines.map(({ qty, ...line }) => {
        const read = rules.parseBet(line);
        return { key: read.ok ? read.key : '', qty };
      }),
    }),
  );
  const digest = hex(digests[index]!);
  const bet: ProvedBet = { ...game, _id: idOf(index), drawId, lines, playpoints: 12, digest };
  const receipt = { digest, index, size, path: inclusionPath(digests, index).map(hex) };
  const root = hex(treeRoot(digests));
  const draw = { drawId, status: 'settled', ticketRoot: root, tickets: size, ticketsCleared: false } as const;
  return { bet, receipt, draw };
}

const anyDraw = fc
  .integer({ min: 1, max: 40 })
  .chain((size) => fc.tuple(fc.constant(size), fc.integer({ min: 0, max: size - 1 })))
  .map(([size, index]) => proved(size, index));
const flipped = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`;

it('proves any ticket of any draw', () => {
  fc.assert(
    fc.property(anyDraw, ({ bet, receipt, draw }) => {
      const proof = proveBet(bet, receipt, draw);
      expect(proof).toMatchObject({ state: 'right', examination: { root: draw.ticketRoot } });
      expect(proof.steps.map(({ state }) => state)).toEqual(['right', 'right', 'right']);
    }),
  );
});

it('detects any change of ticket, receipt or draw', () => {
  fc.assert(
    fc.property(anyDraw, fc.nat(63), fc.nat(), ({ bet, receipt, draw }, at, which) => {
      const [first, ...others] = bet.lines;
      const { path, size, index } = receipt;
      const step = path.length === 0 ? 0 : which % path.length;
      const changed: readonly (readonly [ProvedBet, typeof receipt, Parameters<typeof proveBet>[2]])[] = [
        [{ ...bet, lines: [{ ...first!, qty: first!.qty + 1 }, ...others] }, receipt, draw],
        [{ ...bet, lines: [{ ...first!, drawno: '321' }, ...others] }, receipt, draw],
        [{ ...bet, lines: [{ ...first!, drawno: 'none' }, ...others] }, receipt, draw],
        [{ ...bet, lines: others }, receipt, draw],
        [{ ...bet, playpoints: 12.01 }, receipt, draw],
        [{ ...bet, _id: idOf(800_000) }, receipt, draw],
        [{ ...bet, digest: flipped(bet.digest, at) }, receipt, draw],
        [bet, { ...receipt, digest: flipped(receipt.digest, at) }, draw],
        [bet, { ...receipt, size: size + 1 }, draw],
        [bet, { ...receipt, path: [...path, bet.digest] }, draw],
        [bet, { ...receipt, path: ['x'] }, draw],
        [bet, receipt, { ...draw, ticketRoot: flipped(draw.ticketRoot, at) }],
        [bet, receipt, { ...draw, tickets: size + 1 }],
        [bet, receipt, { ...draw, drawId: idOf(0) }],
        ...(path.length === 0
          ? []
          : [
              [bet, { ...receipt, index: index === 0 ? 1 : index - 1 }, draw] as const,
              [bet, { ...receipt, path: path.with(step, flipped(path[step]!, at)) }, draw] as const,
              [bet, { ...receipt, path: path.slice(1) }, draw] as const,
            ]),
      ];
      for (const [number, given] of changed.entries())
        expect([number, proveBet(...given).state]).toEqual([number, 'wrong']);
    }),
  );
});

it('says what cannot be known yet, and what no longer can', () => {
  const { bet, receipt, draw } = proved(3, 1);
  const early = { ...receipt, index: null, size: null, path: null };
  const statesOf = (...given: Parameters<typeof proveBet>) => proveBet(...given).steps.map(({ state }) => state);
  const open = { ...draw, status: 'open', ticketRoot: null, tickets: null } as const;
  expect(statesOf(bet, early, open)).toEqual(['right', 'later', 'later']);
  expect(statesOf(bet, early, draw)).toEqual(['right', 'right', 'later']);
  const gone = proveBet(bet, early, { ...draw, ticketsCleared: true });
  expect(gone.state).toBe('later');
  expect(gone.steps[2]!.text).toContain('cleared');
  expect(proveBet(bet, early, { ...open, status: 'void' }).steps[1]!.title).toBe('The draw is void');
});
