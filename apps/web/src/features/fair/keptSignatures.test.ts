import { boosterOdds } from '@drawhouse/rules/booster';
import { QUICKNET, roundTimeMs } from '@drawhouse/rules/drand-chain';
import { commitment, generateDraw } from '@drawhouse/rules/fair';
import type { PublishedDraw } from '@drawhouse/rules/fair';
import { examineSeed } from '@drawhouse/rules/published-seed';
import { rulesFor } from '@drawhouse/rules/rules';
import { describe, expect, it } from 'vitest';
import { findOut, withSignatures } from './drawFinding.ts';
import type { DrawFinding } from './drawFinding.ts';
import { fairTexts } from './fairTexts.ts';
import type { FairDraw } from './fairDraw.ts';
import { keptSignatures } from './keptSignatures.ts';

const game = { gameId: 'titlisorrat', family: 'numbers', digits: 12 } as const;
const rules = rulesFor(game);
const [own, theirs] = [new Uint8Array(32).fill(9), new Uint8Array(32).fill(8)];
const day = {
  name: 'other.example',
  day: '2023-08-23',
  size: 1,
  root: 'c3e4d44f018da2ecd4f60dd0b5c3af82aa27e086c02571db6035c42611f995f0',
};
const question = {
  day: day.day,
  index: 0,
  drawId: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
  closesAt: '2023-08-23T15:59:23.000Z',
  commitment: commitment(own),
  tickets: 2,
  ticketRoot: 'ab'.repeat(32),
};
/** Its signatures are those of the Ed25519 key of 32 bytes of 7, as keeper-texts.ts has the texts. */
const keeper: FairDraw['keepers'][number] = {
  ...day,
  index: 0,
  publicKey: 'ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',
  daySignature:
    'b4871049b6e41cc08f15c313e5d2a5fb34397c690ab1c29bef5436754f9f942825a9d2a37d42bbac5ab0ba0994660ee2eaa801cf9d03d95ef63e6d0f61479c0d',
  commitment: commitment(theirs),
  path: [],
  askedAt: '2023-08-23T15:59:22.000Z',
  closesAt: question.closesAt,
  seed: '08'.repeat(32),
  releasedAt: '2023-08-23T15:59:23.400Z',
  signature:
    '060562708aab834f83285e96ea4c31c8fd724f1b68ae4dff2c6fffc1891e15edb5e74b5a86ad86a381dd3f28bf1832869e41c1e2aefd06e0603726447db8860b',
};
/** Round 1000 of quicknet, as it was recorded. */
const beacon: NonNullable<FairDraw['beacon']> = {
  ...QUICKNET,
  round: 1_000,
  signature: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
};
const closesMs = roundTimeMs(QUICKNET, 1_000) - 1_000;
const parts = {
  ...game,
  ...question,
  success: true as const,
  gameName: 'Titli Sorrat',
  number: 1,
  status: 'settled' as const,
  opensAt: new Date(closesMs - 55_000).toISOString(),
  closesAt: new Date(closesMs).toISOString(),
  drawsAt: new Date(closesMs + 5_000).toISOString(),
  resultMode: 'open' as const,
  manualClaims: false,
  keepers: [keeper],
  beacon,
  knowable: null,
  undone: null,
  faults: [],
  rulesVersion: 2,
  unitPrice: 1,
  pays: { number: 10.5 },
  weights: boosterOdds({ baseReturn: 0.9, winPercentage: 120, max: rules.maxBooster }),
  ticketsCleared: false,
  seed: '09'.repeat(32),
  voidCause: null,
  resultLabel: 'as the server says',
  source: 'generated' as const,
};
/** What the parts of a seed give, whoever has signed them. */
const drawnOf = (shown: typeof parts) => {
  const { seed } = examineSeed(shown as unknown as PublishedDraw);
  return generateDraw({ rules, weights: shown.weights, seed: seed!, drawId: shown.drawId });
};
const draw: FairDraw = { ...parts, ...drawnOf(parts) };
const verdict = (changed: Partial<FairDraw>): DrawFinding => {
  const shown = { ...draw, ...changed };
  return withSignatures(findOut(shown), keptSignatures(shown));
};

describe('the verdict on a draw that others keep too', () => {
  it('is right where it is and all have signed', () => {
    expect(verdict({})).toMatchObject({ outcome: 'right', text: fairTexts.right.kept, problems: [] });
  });

  it.each<[string, Partial<FairDraw>, RegExp]>([
    ['a day', { keepers: [{ ...keeper, daySignature: '00'.repeat(64) }] }, /of other\.example over its day/],
    [
      'a release',
      { keepers: [{ ...keeper, signature: keeper.daySignature }] },
      /of other\.example is not for this draw/,
    ],
    ['a release for other tickets', { tickets: 3 }, /of other\.example is not for this draw/],
    ['a release that is not there', { keepers: [{ ...keeper, signature: null }] }, /without its signature/],
  ])('is wrong for the signature of %s alone, though the seed gives the result', (_, changed, problem) => {
    expect(findOut({ ...draw, ...changed }).outcome).toBe('right');
    const { outcome, text, problems } = verdict(changed);
    expect({ outcome, text }).toEqual({ outcome: 'wrong', text: fairTexts.wrong });
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it.each<[string, Partial<typeof keeper>, RegExp]>([
    [
      'that its keeper released before betting closed',
      {
        releasedAt: '2023-08-23T15:59:22.400Z',
        signature:
          '1b82695fb3b9ae8ab34f10f1bd26b730755e513ee412b5b55166b5f322fb6b629b96e93c7a713426ba17cf756407f65f90f562e973765f1c1b8792de4021cb0f',
      },
      /^Unfair: other\.example released its seed at 2023-08-23T15:59:22\.400Z, and betting closed only at/,
    ],
    [
      'that its keeper signed for an earlier close',
      {
        closesAt: '2023-08-23T15:58:23.000Z',
        releasedAt: '2023-08-23T15:59:23.400Z',
        signature: keeper.signature,
      },
      /^Unfair: the draw says that betting closed at 2023-08-23T15:59:23\.000Z, and other\.example was asked/,
    ],
  ])('is unfair, by that name, of a draw %s, though the seed gives the result', (_, changed, problem) => {
    const shown = { keepers: [{ ...keeper, ...changed }] };
    expect(findOut({ ...draw, ...shown }).outcome).toBe('right');
    const { outcome, text, problems } = verdict(shown);
    expect({ outcome, text }).toEqual({ outcome: 'wrong', text: fairTexts.unfair });
    expect(problems[0]).toMatch(problem);
  });

  it('is unfair where both are true, and all signatures right: a close that was said otherwise afterwards', () => {
    const early = {
      closesAt: '2023-08-23T15:58:23.000Z',
      releasedAt: '2023-08-23T15:58:23.400Z',
      signature:
        'faa4025f581cf1ac0da07199ef16f27122c79b8a8b1f088a778340d8367a98e16c599621edd1ab277c9aecaac5c61d1dc778f4187d474360becd4d31f8b9d004',
    };
    const { text, problems } = verdict({ keepers: [{ ...keeper, ...early }] });
    expect({ text, problems }).toEqual({
      text: fairTexts.unfair,
      problems: [
        expect.stringMatching(/^Unfair: the draw says/),
        expect.stringMatching(/^Unfair: .* released its seed/),
      ],
    });
  });

  it.each<[string, Partial<typeof beacon>, RegExp]>([
    ['that drand did not sign', { signature: 'ab'.repeat(48) }, /^The signature of round 1000 is not that/],
    ['of a chain whose key is not that of its hash', { publicKey: 'ab'.repeat(96) }, /can't be the one that is named/],
  ])('is wrong for a round %s, whatever result was made of it', (_, changed, problem) => {
    const chosen = { ...parts, beacon: { ...beacon, ...changed } };
    const made = { ...chosen, ...drawnOf(chosen) };
    expect(findOut(made).outcome).toBe('right');
    expect(verdict(made)).toMatchObject({ outcome: 'wrong', problems: [expect.stringMatching(problem)] });
  });

  it('says so from the first moment, while bets are taken', () => {
    const none = { seed: null, result: null, booster: null, source: null, tickets: null, ticketRoot: null };
    const open = { ...none, status: 'open' as const, beacon: { ...beacon, signature: null } };
    const untouched = { ...keeper, seed: null, releasedAt: null, signature: null, askedAt: null };
    expect(verdict({ ...open, keepers: [untouched] })).toMatchObject({ kind: 'running', outcome: 'none' });
    expect(verdict({ ...open, keepers: [{ ...untouched, size: 2 }] })).toMatchObject({ outcome: 'wrong' });
    const other = { ...untouched, closesAt: '2023-08-23T15:58:23.000Z' };
    expect(verdict({ ...open, keepers: [other] })).toMatchObject({ outcome: 'wrong', text: fairTexts.unfair });
  });
});
