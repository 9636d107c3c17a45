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
  seed: '08'.repeat(32),
  signature:
    '27b28e3dffa63900f07337f865a3da12a5d0cebd6414052c27207239070f927ea074805f314a4a2fceea37ca6476a1d0a96e3f1edd03084b2e6355979f5e7c0b',
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
  return withSignatures(findOut(shown), keptSignatures(shown).problems);
};

describe('the verdict on a draw that others keep too', () => {
  it('is right where it is and all have signed', () => {
    expect(verdict({})).toMatchObject({ outcome: 'right', text: fairTexts.right.generated, problems: [] });
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
    const untouched = { ...keeper, seed: null, signature: null, askedAt: null };
    expect(verdict({ ...open, keepers: [untouched] })).toMatchObject({ kind: 'running', outcome: 'none' });
    expect(verdict({ ...open, keepers: [{ ...untouched, size: 2 }] })).toMatchObject({ outcome: 'wrong' });
  });
});
