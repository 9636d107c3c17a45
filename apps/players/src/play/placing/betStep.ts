import { isDecided, type BetAnswer, type BetOutcome, type PendingBet } from './pendingBet.ts';

export type BetEvent =
  | { readonly kind: 'due' }
  | { readonly kind: 'sent'; readonly answer: BetAnswer }
  /** `askedAt`: server time when asked, or earlier. Null: unknown. */
  | { readonly kind: 'asked'; readonly answer: BetAnswer; readonly askedAt: number | null };

/** Store the bet before acting. Null: decided. */
export type BetAct = { readonly do: 'send' | 'ask' } | { readonly do: 'wait'; readonly ms: number } | null;

interface BetDoer {
  /** Lower bound of server time, Unix milliseconds. Null before the first sample. */
  readonly now: number | null;
  /** True if this page is the only sender. Others only query. */
  readonly maySend: boolean;
}

const WAIT_MS = { first: 500, most: 8_000 };

/**
 * Pure state machine of a bet; never guesses. *Placed*: the server confirmed it. *Not placed*: the server refused the
 * only send that can have arrived, or denied it when asked after betting closed, when late sends are refused. Resends
 * keep request id and draw.
 */
export function betStep(
  bet: PendingBet,
  event: BetEvent,
  doer: BetDoer,
): { readonly bet: PendingBet; readonly act: BetAct } {
  if (isDecided(bet)) return { bet, act: null };
  if (event.kind === 'due') return due(bet, doer);
  const { answer } = event;
  if (answer.kind === 'placed') return decided(bet, { kind: 'placed', ticket: answer.ticket });
  return event.kind === 'sent' ? afterSending(bet, answer, doer) : afterAsking(bet, answer, event.askedAt, doer);
}

function decided(bet: PendingBet, outcome: BetOutcome): ReturnType<typeof betStep> {
  return { bet: { ...bet, outcome }, act: null };
}

const isOver = ({ closesAt }: PendingBet, at: number | null): boolean => at !== null && at >= closesAt;

/** Sends if no earlier send can have arrived, else queries. */
function due(bet: PendingBet, doer: BetDoer): ReturnType<typeof betStep> {
  const isUnsent = bet.inDoubt === 0 && bet.refusal === null;
  return isUnsent ? sending(bet, doer) : { bet, act: { do: 'ask' } };
}

function sending(bet: PendingBet, { now, maySend }: BetDoer): ReturnType<typeof betStep> {
  if (!maySend || isOver(bet, now)) return { bet, act: { do: 'ask' } };
  return { bet: { ...bet, inDoubt: bet.inDoubt + 1 }, act: { do: 'send' } };
}

function afterSending(bet: PendingBet, answer: BetAnswer, doer: BetDoer): ReturnType<typeof betStep> {
  switch (answer.kind) {
    case 'refused': {
      const answered = { ...bet, inDoubt: bet.inDoubt - 1, refusal: answer.refusal };
      if (answered.inDoubt === 0) return decided(answered, { kind: 'not placed', refusal: answer.refusal });
      return { bet: answered, act: { do: 'ask' } };
    }
    case 'retry':
      return waiting({ ...bet, inDoubt: bet.inDoubt - 1 }, doer, answer.waitMs);
    default:
      return bet.tries === 0 ? { bet: { ...bet, tries: 1 }, act: { do: 'ask' } } : waiting(bet, doer);
  }
}

function afterAsking(
  bet: PendingBet,
  answer: BetAnswer,
  askedAt: number | null,
  doer: BetDoer,
): ReturnType<typeof betStep> {
  if (answer.kind !== 'not placed') return waiting(bet, doer, answer.kind === 'retry' ? answer.waitMs : 0);
  if (isOver(bet, askedAt)) return decided(bet, { kind: 'not placed', refusal: bet.refusal });
  // A refused bet may still be placed by an earlier send, so it is not resent. Nor is another page's bet.
  return bet.refusal === null && doer.maySend ? sending(bet, doer) : waiting(bet, doer);
}

/** Backs off, at most until the close, when answers become final. */
function waiting(bet: PendingBet, { now }: BetDoer, leastMs = 0): ReturnType<typeof betStep> {
  const ms = Math.max(leastMs, Math.min(WAIT_MS.first * 2 ** bet.tries, WAIT_MS.most));
  const toClose = now === null || now >= bet.closesAt ? Infinity : bet.closesAt - now;
  return { bet: { ...bet, tries: bet.tries + 1 }, act: { do: 'wait', ms: Math.min(ms, toClose) } };
}
