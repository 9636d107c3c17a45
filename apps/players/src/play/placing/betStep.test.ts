import { describe, expect, it } from 'vitest';
import { betStep, type BetEvent } from './placing.ts';
import { newBet, type BetAnswer, type PendingBet } from './pendingBet.ts';

const CLOSES = 60_000;
const FRESH = newBet({
  requestId: 'r',
  accountId: 'a',
  gameId: 'g',
  drawId: 'd',
  closesAt: CLOSES,
  lines: [{ drawno: '7', head: 'number', qty: 1 }],
  stake: 1,
});
const REFUSAL = { code: 'INSUFFICIENT_CREDIT', message: 'Not enough credit.' };
const sent = (answer: BetAnswer): BetEvent => ({ kind: 'sent', answer });
const asked = (answer: BetAnswer, askedAt: number | null): BetEvent => ({ kind: 'asked', answer, askedAt });
const open = { now: 1_000, maySend: true };
const once: PendingBet = { ...FRESH, inDoubt: 1 };

describe('a placed bet', () => {
  it('is counted as sent before sending', () => {
    expect(betStep(FRESH, { kind: 'due' }, open)).toEqual({ bet: once, act: { do: 'send' } });
  });

  it('is not sent without permission or after its draw closed, but looked up', () => {
    expect(betStep(FRESH, { kind: 'due' }, { now: 1_000, maySend: false })).toEqual({ bet: FRESH, act: { do: 'ask' } });
    expect(betStep(FRESH, { kind: 'due' }, { now: CLOSES, maySend: true })).toEqual({ bet: FRESH, act: { do: 'ask' } });
  });

  it('is refused by the answer to its only request, but not while an earlier one may still arrive', () => {
    const refused = sent({ kind: 'refused', refusal: REFUSAL });
    expect(betStep(once, refused, open)).toMatchObject({
      bet: { outcome: { kind: 'not placed', refusal: REFUSAL } },
      act: null,
    });
    const twice = betStep({ ...FRESH, inDoubt: 2 }, refused, open);
    expect(twice).toMatchObject({ bet: { outcome: { kind: 'pending' }, inDoubt: 1 }, act: { do: 'ask' } });
    const still = betStep(twice.bet, asked({ kind: 'not placed' }, 2_000), open);
    expect(still).toMatchObject({ bet: { outcome: { kind: 'pending' } }, act: { do: 'wait' } });
    const over = betStep(still.bet, asked({ kind: 'not placed' }, CLOSES), { ...open, now: CLOSES });
    expect(over).toMatchObject({ bet: { outcome: { kind: 'not placed', refusal: REFUSAL } }, act: null });
  });

  it('is looked up after a lost answer and resent on the same draw if missing', () => {
    const lost = betStep(once, sent({ kind: 'unknown' }), open);
    expect(lost).toMatchObject({ bet: { inDoubt: 1 }, act: { do: 'ask' } });
    const reload = betStep(lost.bet, asked({ kind: 'not placed' }, 2_000), open);
    expect(reload).toMatchObject({ bet: { inDoubt: 2, requestId: 'r', drawId: 'd' }, act: { do: 'send' } });
    const lostAgain = betStep(reload.bet, sent({ kind: 'unknown' }), open);
    expect(lostAgain.act).toEqual({ do: 'wait', ms: 1_000 });
  });

  it('is not placed only if a lookup after the close, by a reliable clock, found none', () => {
    const none = { kind: 'not placed' } as const;
    for (const askedAt of [null, 0, CLOSES - 1])
      expect(betStep(once, asked(none, askedAt), open).bet.outcome).toEqual({ kind: 'pending' });
    // A send may arrive between question and answer.
    const schedule = { now: CLOSES + 1, maySend: true };
    expect(betStep(once, asked(none, CLOSES - 1), schedule)).toMatchObject({
      bet: { outcome: { kind: 'pending' } },
      act: { do: 'ask' },
    });
    expect(betStep(once, asked(none, CLOSES), open).bet.outcome).toEqual({ kind: 'not placed', refusal: null });
  });

  it('is placed once any answer says so', () => {
    const placed = betStep(once, asked({ kind: 'placed', ticket: null }, null), open).bet;
    expect(placed.outcome).toEqual({ kind: 'placed', ticket: null });
    for (const event of [sent({ kind: 'refused', refusal: REFUSAL }), asked({ kind: 'not placed' }, CLOSES)])
      expect(betStep(placed, event, open)).toEqual({ bet: placed, act: null });
  });

  it('backs off while the server is silent, never past the close, and honors retry times', () => {
    let bet = once;
    const waits: number[] = [];
    for (let turn = 0; turn < 8; turn++) {
      const step = betStep(bet, asked({ kind: 'unknown' }, 1_000), open);
      bet = step.bet;
      if (step.act?.do === 'wait') waits.push(step.act.ms);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
    const late = { now: CLOSES - 100, maySend: true };
    expect(betStep(once, asked({ kind: 'unknown' }, null), late).act).toEqual({ do: 'wait', ms: 100 });
    expect(betStep(once, sent({ kind: 'retry', waitMs: 5_000 }), open)).toMatchObject({
      bet: { inDoubt: 0 },
      act: { do: 'wait', ms: 5_000 },
    });
  });
});
