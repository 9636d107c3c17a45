import { createHash } from 'node:crypto';
import { boosterOdds } from '@drawhouse/rules/booster';
import { deriveSeed, rulesHash } from '@drawhouse/rules/derive-seed';
import { generateDraw } from '@drawhouse/rules/fair';
import { keeperDayText, keeperReleaseText } from '@drawhouse/rules/keeper-texts';
import { rulesFor } from '@drawhouse/rules/rules';
import { describe, expect, it } from 'vitest';
import { makeKey, signerOf } from '../keeper/keeper-keys.ts';
import { judgeChange } from './mirror-draws.ts';
import { NetworkRecords } from './mirror-network.ts';
import type { SealedRow } from './sealed-entry.ts';

const row = (more: SealedRow = {}): SealedRow => ({
  id: 'd',
  game_id: 'g',
  terms_id: 't',
  commitment: String.raw`\x01`,
  status: 'drawn',
  ticket_count: '0',
  result: '{"value":1}',
  booster: '1',
  source: 'declared',
  ...more,
});

describe('a draw that others keep too', () => {
  const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  const key = makeKey();
  const sign = signerOf(key);
  const drawId = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
  const [own, theirs] = [Buffer.alloc(32, 9), Buffer.alloc(32, 8)];
  const game = { gameId: 'funtargetbingo', family: 'numbers', digits: 10 } as const;
  const kept = { keepers: [{ name: 'other.example', publicKey: key.publicKey }], beacon: null };
  const weights = boosterOdds({ baseReturn: 0.9, winPercentage: 90, max: 20 });
  const terms = {
    rules_version: 2,
    unit_price: 100n,
    pays: { number: 900 },
    weights,
    result_mode: 'open' as const,
    manual_claims: false,
    kept,
  };
  const seed = deriveSeed({ drawId, rulesHash: rulesHash(game, terms), operatorSeed: own, keeperSeeds: [theirs] });
  const { result, booster } = generateDraw({ rules: rulesFor(game), weights, seed, drawId });
  const day = {
    name: 'other.example',
    day: '2026-03-10',
    size: 1,
    root: sha256(Buffer.from([0, ...createHash('sha256').update(theirs).digest()])),
  };
  const closesAt = '2026-03-10T10:00:55.000Z';
  const question = {
    day: day.day,
    index: 0,
    drawId,
    closesAt,
    commitment: sha256(own),
    tickets: 0,
    ticketRoot: sha256(Buffer.alloc(0)),
  };
  const bytea = (hex: string): string => String.raw`\x${hex}`;
  const text = (instant: string): string => instant.replace('T', ' ').replace(/(?:\.000)?Z$/, '+00');

  /** What a mirror finds where all of this was sealed at once, with what is changed of the keeper's part. */
  function found(more: SealedRow = {}, releasedAt = '2026-03-10T10:00:55.400Z', isThere = true): readonly string[] {
    const network = new NetworkRecords(
      {
        games: new Map([['g', { id: 'g', game_key: game.gameId, family: game.family, digits: '10' }]]),
        terms: new Map([
          [
            't',
            {
              id: 't',
              unit_price: '100',
              rules_version: '2',
              manual_claims: 'f',
              pays: '{"number":900}',
              weights: JSON.stringify(weights),
              result_mode: 'open',
              kept: JSON.stringify(kept),
            },
          ],
        ]),
        accounts: new Map(),
      },
      0,
    );
    const drawn = { status: 'settled', result: JSON.stringify(result), booster: String(booster), source: 'generated' };
    network.keep(
      'draws',
      row({
        ...drawn,
        id: drawId,
        commitment: bytea(sha256(own)),
        seed: bytea(own.toString('hex')),
        closes_at: text(closesAt),
      }),
    );
    const place: SealedRow = { keeper: bytea(key.publicKey), day: day.day };
    network.keep('keeper_roots', {
      ...place,
      size: '1',
      root: bytea(day.root),
      signature: bytea(sign(keeperDayText(day))),
    });
    if (isThere)
      network.keep('draw_keepers', {
        ...place,
        draw_id: drawId,
        place: '0',
        index: '0',
        closes_at: text(closesAt),
        commitment: bytea(sha256(theirs)),
        path: bytea(''),
        seed: bytea(theirs.toString('hex')),
        released_at: text(releasedAt),
        signature: bytea(sign(keeperReleaseText(day.name, question, releasedAt))),
        ...more,
      });
    const problems = network.endLook(0);
    expect(network.counts()).toMatchObject(
      isThere ? { results: 1, unjudgedDraws: 0 } : { results: 0, unjudgedDraws: 1 },
    );
    return problems;
  }

  it('is recomputed with all parts of its seed and their signatures', () => {
    expect(found()).toEqual([]);
    expect(found({ seed: bytea('07'.repeat(32)) })).toContainEqual(
      expect.stringMatching(/not the one that it committed to/),
    );
    expect(found({ signature: bytea('00'.repeat(64)) })).toEqual([expect.stringMatching(/is not for this draw/)]);
    expect(found({}, '2026-03-10T10:00:54.999Z')).toEqual([
      expect.stringMatching(/Unfair: other\.example released its seed at 2026-03-10T10:00:54\.999Z/),
    ]);
    expect(found({ closes_at: '2026-03-10 10:00:00+00' })).toContainEqual(
      expect.stringMatching(/Unfair: the draw says/),
    );
  });

  it('is left unjudged, and counted so, where a record of its keepers is missing', () => {
    expect(found({}, closesAt, false)).toEqual([]);
  });
});

describe('a draw that was sealed', () => {
  it.each<[string, SealedRow, SealedRow]>([
    ['its result', {}, { status: 'settled', result: '{"value":2}' }],
    ['its booster', {}, { booster: '3' }],
    ['its source', {}, { source: 'generated' }],
    ['its result', {}, { result: null }],
    ['it was drawn and is closed', {}, { status: 'closed', result: '{"value":1}' }],
    ['it was settled and is void', { status: 'settled' }, { status: 'void' }],
    ['it was void and is settled', { status: 'void' }, { status: 'settled' }],
  ])('keeps what it came to and goes forward alone: %s', (says, before, after) => {
    expect(judgeChange(row(before), row(after))).toEqual([expect.stringContaining(says)]);
  });

  it('is void without what it had come to, and may leave states out', () => {
    const none = { result: null, booster: null, source: null };
    expect(judgeChange(row(), row({ status: 'void', ...none }))).toEqual([]);
    expect(judgeChange(row({ status: 'open', ...none }), row({ status: 'settled' }))).toEqual([]);
  });

  it('is not changed after it was finished', () => {
    const network = new NetworkRecords({ games: new Map(), terms: new Map(), accounts: new Map() }, 0);
    const look = (more: SealedRow): readonly string[] => {
      network.keep('draws', row(more));
      return network.endLook(0);
    };
    expect(look({ status: 'settled' })).toEqual([]);
    expect(look({ status: 'settled', tickets_cleared: 't' })).toEqual([]);
    expect(look({ status: 'settled', result: '{"value":2}' })).toEqual([
      'draw d: what it was drawn from, or what it came to, was changed after it was finished.',
    ]);
  });
});
