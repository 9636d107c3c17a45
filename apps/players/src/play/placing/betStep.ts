import { isDecided } from './keptBet.ts';
import type { BetAnswer, BetFate, KeptBet } from './keptBet.ts';

/** What happens to a bet that is being placed. */
export type BetEvent =
  /** It is time to do something: at the start, and after a wait. */
  | { readonly is: 'due' }
  | { readonly is: 'sent'; readonly answer: BetAnswer }
  /** The answer to asking, and the server's time when it was asked, or before; null where that is not known. */
  | { readonly is: 'asked'; readonly answer: BetAnswer; readonly askedAt: number | null };

/** What is done next: the bet is kept first. Null: nothing more, it is decided. */
export type BetAct = { readonly do: 'send' | 'ask' } | { readonly do: 'wait'; readonly ms: number } | null;

/** Who does it. */
interface BetDoer {
  /** The server's time or a little less, in milliseconds since 1970; null before it was heard. */
  readonly now: number | null;
  /** Whether this page alone sends this bet. A page that does not send asks. */
  readonly maySend: boolean;
}

/** The shortest and the longest wait before a call is repeated. */
const WAIT_MS = { first: 500, most: 8_000 };

/**
 * The next state of a bet, and what is to be done. It never guesses. *Placed* is what the server said. *Not placed* is what it said of the only sending that can have
 * arrived; or what it said, asked after betting on the draw had closed, when nothing that is under way can be taken any more. Whatever is sent again
 * names the same request and the same draw.
 */
export function betStep(bet: KeptBet, event: BetEvent, doer: BetDoer): { readonly bet: KeptBet; readonly act: BetAct } {
  if (isDecided(bet)) return { bet, act: null };
  if (event.is === 'due') return due(bet, doer);
  const { answer } = event;
  if (answer.says === 'placed') return decided(bet, { is: 'placed', ticket: answer.ticket });
  return event.is === 'sent' ? afterSending(bet, answer, doer) : afterAsking(bet, answer, event.askedAt, doer);
}

function decided(bet: KeptBet, fate: BetFate): ReturnType<typeof betStep> {
  return { bet: { ...bet, fate }, act: null };
}

const isOver = ({ closesAt }: KeptBet, at: number | null): boolean => at !== null && at >= closesAt;

/** Sends a bet of which no sending can have arrived; asks what became of any other. */
function due(bet: KeptBet, doer: BetDoer): ReturnType<typeof betStep> {
  const isUnsent = bet.inDoubt === 0 && bet.refusal === null;
  return isUnsent ? sending(bet, doer) : { bet, act: { do: 'ask' } };
}

function sending(bet: KeptBet, { now, maySend }: BetDoer): ReturnType<typeof betStep> {
  if (!maySend || isOver(bet, now)) return { bet, act: { do: 'ask' } };
  return { bet: { ...bet, inDoubt: bet.inDoubt + 1 }, act: { do: 'send' } };
}

function afterSending(bet: KeptBet, answer: BetAnswer, doer: BetDoer): ReturnType<typeof betStep> {
  switch (answer.says) {
    case 'refused': {
      const answered = { ...bet, inDoubt: bet.inDoubt - 1, refusal: answer.refusal };
      if (answered.inDoubt === 0) return decided(answered, { is: 'not placed', why: answer.refusal });
      return { bet: answered, act: { do: 'ask' } };
    }
    case 'later':
      return waiting({ ...bet, inDoubt: bet.inDoubt - 1 }, doer, answer.waitMs);
    default:
      // It is asked at once what became of the first; what is lost again and again is asked for ever more slowly.
      return bet.tries === 0 ? { bet: { ...bet, tries: 1 }, act: { do: 'ask' } } : waiting(bet, doer);
  }
}

function afterAsking(
  bet: KeptBet,
  answer: BetAnswer,
  askedAt: number | null,
  doer: BetDoer,
): ReturnType<typeof betStep> {
  if (answer.says !== 'not placed') return waiting(bet, doer, answer.says === 'later' ? answer.waitMs : 0);
  if (isOver(bet, askedAt)) return decided(bet, { is: 'not placed', why: bet.refusal });
  // What was refused, and may yet be taken by an earlier sending, is not sent again; nor what another page sends.
  return bet.refusal === null && doer.maySend ? sending(bet, doer) : waiting(bet, doer);
}

/** Waits the longer the more calls were in vain, but not beyond the time at which betting closes, after which the answer is final. */
function waiting(bet: KeptBet, { now }: BetDoer, leastMs = 0): ReturnType<typeof betStep> {
  const ms = Math.max(leastMs, Math.min(WAIT_MS.first * 2 ** bet.tries, WAIT_MS.most));
  const toClose = now === null || now >= bet.closesAt ? Infinity : bet.closesAt - now;
  return { bet: { ...bet, tries: bet.tries + 1 }, act: { do: 'wait', ms: Math.min(ms, toClose) } };
}
