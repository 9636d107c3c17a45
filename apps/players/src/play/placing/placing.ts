import { betStep } from './betStep.ts';
import type { BetAct, BetEvent } from './betStep.ts';
import { isDecided, newBet } from './pendingBet.ts';
import type { BetAnswer, PendingBet } from './pendingBet.ts';

/** Environment. Each tab has its own; storage is shared per account. */
export interface PlacingPorts {
  /** Replaces the stored bet. False if storage fails. */
  readonly keep: (bet: PendingBet) => boolean;
  readonly kept: () => PendingBet[];
  readonly drop: (requestId: string) => void;
  /** Fires on changes by other tabs. Returns an unsubscribe function. */
  readonly watch: (changed: () => void) => () => void;
  readonly send: (bet: PendingBet, answered: (answer: BetAnswer) => void) => void;
  readonly ask: (bet: PendingBet, answered: (answer: BetAnswer) => void) => void;
  /** Returns a cancel function. */
  readonly later: (ms: number, then: () => void) => () => void;
  /** Lower bound of server time, Unix milliseconds. Null before the first sample. */
  readonly serverNow: () => number | null;
  /**
   * Locks a bet across tabs until `release` or the tab's end. Null without Web Locks: then only the creating tab sends.
   */
  readonly hold: ((requestId: string, held: (release: () => void) => void) => void) | null;
}

interface InHand {
  bet: PendingBet;
  maySend: boolean;
  /** Cancels the current wait. Null: none. */
  stopWaiting: (() => void) | null;
  release: () => void;
}

/** Places each ticket at most once, and determines its outcome. */
export interface Placing {
  /** Oldest first. Stable reference until a change. */
  bets: () => readonly PendingBet[];
  /** Stores and sends. False if storing failed; no request was sent. */
  place: (bet: Parameters<typeof newBet>[0]) => boolean;
  /** Drops a decided bet; ignores others. */
  forget: (requestId: string) => void;
  /** Betting closed early: result saved or drawn. */
  closed: (drawId: string) => void;
  /** Skips current waits, after a reconnect or a new server time. */
  hurry: () => void;
  /** Stops this tab's work. Stored bets stay. */
  stop: () => void;
}

/** Resumes stored bets. Calls `changed` after each change of `bets`. */
export function createPlacing(ports: PlacingPorts, changed: () => void): Placing {
  const hands = new Map<string, InHand>();
  let shown: readonly PendingBet[] = [];
  let isStopped = false;
  const tell = (): void => {
    shown = [...hands.values()].map(({ bet }) => bet);
    changed();
  };

  const run = (hand: InHand, event: BetEvent): void => {
    if (isStopped) return keepAnswer(ports, hand.bet, event);
    if (!hands.has(hand.bet.requestId)) return;
    hand.stopWaiting?.();
    hand.stopWaiting = null;
    const before = hand.bet;
    const { bet, act } = betStep(before, event, { now: ports.serverNow(), maySend: hand.maySend });
    hand.bet = bet;
    // Only the sender stores an undecided bet.
    const isKept = bet === before || !(hand.maySend || isDecided(bet)) || ports.keep(bet);
    if (isDecided(bet)) finish(hand);
    else if (act?.do === 'send' && !isKept) {
      // Never send before storing.
      hand.bet = before;
      hand.stopWaiting = ports.later(UNKEPT_WAIT_MS, () => run(hand, { is: 'due' }));
    } else perform(ports, hand, act, (next) => run(hand, next));
    tell();
  };

  const take = (bet: PendingBet, isOwn: boolean): void => {
    const hand: InHand = { bet, maySend: isOwn && !ports.hold, stopWaiting: null, release: no };
    hands.set(bet.requestId, hand);
    if (isDecided(bet)) return;
    if (!ports.hold) return run(hand, { is: 'due' });
    ports.hold(bet.requestId, (release) => {
      const fresh = ports.kept().find(({ requestId }) => requestId === bet.requestId);
      if (isStopped || !fresh || isDecided(fresh)) {
        release();
        if (!isStopped) follow();
        return;
      }
      Object.assign(hand, { bet: fresh, maySend: true, release });
      run(hand, { is: 'due' });
    });
  };

  const follow = (): void => {
    const kept = new Map(ports.kept().map((bet) => [bet.requestId, bet]));
    adopt(hands, kept);
    for (const bet of kept.values()) if (!hands.has(bet.requestId)) take(bet, false);
    tell();
  };

  for (const bet of ports.kept()) take(bet, false);
  tell();
  const stopWatching = ports.watch(follow);

  return {
    bets: () => shown,
    place: (order) => {
      const bet = newBet(order);
      if (!ports.keep(bet)) return false;
      take(bet, true);
      tell();
      return true;
    },
    forget: (requestId) => {
      const hand = hands.get(requestId);
      if (!hand || !isDecided(hand.bet)) return;
      hands.delete(requestId);
      ports.drop(requestId);
      tell();
    },
    closed: (drawId) => {
      for (const hand of hands.values()) if (hand.bet.drawId === drawId) closeEarly(hand, ports.serverNow());
      for (const hand of hands.values()) if (hand.bet.drawId === drawId && hand.stopWaiting) run(hand, { is: 'due' });
    },
    hurry: () => {
      for (const hand of hands.values()) if (hand.stopWaiting) run(hand, { is: 'due' });
    },
    stop: () => {
      isStopped = true;
      stopWatching();
      for (const hand of hands.values()) finish(hand);
    },
  };
}

const no = (): void => {};
const UNKEPT_WAIT_MS = 2_000;

/**
 * Stores a late answer after this tab stopped, unless another tab took over. Prevents resending a bet refused at
 * session end.
 */
function keepAnswer(ports: PlacingPorts, bet: PendingBet, event: BetEvent): void {
  if (event.is !== 'sent') return;
  const stored = ports.kept().find(({ requestId }) => requestId === bet.requestId);
  if (!stored || isDecided(stored) || stored.inDoubt !== bet.inDoubt || stored.tries !== bet.tries) return;
  ports.keep(betStep(bet, event, { now: ports.serverNow(), maySend: false }).bet);
}

/** Adopts other tabs' state, except undecided bets that this tab sends. */
function adopt(hands: Map<string, InHand>, kept: ReadonlyMap<string, PendingBet>): void {
  for (const [requestId, hand] of hands) {
    const fresh = kept.get(requestId);
    if (hand.maySend && !isDecided(hand.bet) && !(fresh && isDecided(fresh))) continue;
    if (!fresh) {
      finish(hand);
      hands.delete(requestId);
    } else if (!isDecided(hand.bet)) {
      hand.bet = fresh;
      if (isDecided(fresh)) finish(hand);
    }
  }
}

function perform(ports: PlacingPorts, hand: InHand, act: BetAct, happened: (event: BetEvent) => void): void {
  switch (act?.do) {
    case 'send':
      ports.send(hand.bet, (answer) => happened({ is: 'sent', answer }));
      break;
    case 'ask': {
      const askedAt = ports.serverNow();
      ports.ask(hand.bet, (answer) => happened({ is: 'asked', answer, askedAt }));
      break;
    }
    case 'wait':
      hand.stopWaiting = ports.later(act.ms, () => happened({ is: 'due' }));
      break;
    default:
  }
}

/** Marks the draw as closed now. A query is final only if sent after this moment. */
function closeEarly(hand: InHand, now: number | null): void {
  if (now !== null && now < hand.bet.closesAt && !isDecided(hand.bet)) hand.bet = { ...hand.bet, closesAt: now + 1 };
}

function finish(hand: InHand): void {
  hand.stopWaiting?.();
  hand.release();
  Object.assign(hand, { stopWaiting: null, release: no });
}
