import { betStep } from './betStep.ts';
import type { BetAct, BetEvent } from './betStep.ts';
import { isDecided, newBet } from './keptBet.ts';
import type { BetAnswer, KeptBet } from './keptBet.ts';

/** What placing needs of the world: each tab of a browser has its own, all of one account share what is kept. */
export interface PlacingPorts {
  /** Keeps a bet on the device in place of what was kept of its request; false where the device keeps nothing. */
  readonly keep: (bet: KeptBet) => boolean;
  /** What is kept of the account, oldest first. */
  readonly kept: () => KeptBet[];
  readonly drop: (requestId: string) => void;
  /** Tells when another tab keeps or drops something. Gives what ends that. */
  readonly watch: (changed: () => void) => () => void;
  readonly send: (bet: KeptBet, answered: (answer: BetAnswer) => void) => void;
  readonly ask: (bet: KeptBet, answered: (answer: BetAnswer) => void) => void;
  /** Does something after a while; gives what calls it off. */
  readonly later: (ms: number, then: () => void) => () => void;
  /** The server's time or a little less, in milliseconds since 1970; null before it was heard. */
  readonly serverNow: () => number | null;
  /**
   * Waits until no other tab holds a bet, and holds it until `release` or the end of the tab. Null in browsers without locks: then the tab
   * that made a bet sends it, and all others ask.
   */
  readonly hold: ((requestId: string, held: (release: () => void) => void) => void) | null;
}

/** A bet in the hands of this tab. */
interface InHand {
  bet: KeptBet;
  /** Whether this tab alone sends it. */
  maySend: boolean;
  /** Ends a wait; null while nothing is waited for. */
  stopWaiting: (() => void) | null;
  release: () => void;
}

/** Places tickets, each once or not at all, and knows what became of them. */
export interface Placing {
  /** What is kept, oldest first: always the same list until something changes. */
  bets: () => readonly KeptBet[];
  /** Keeps a bet and sends it; false, and nothing was sent, where the device keeps nothing. */
  place: (bet: Parameters<typeof newBet>[0]) => boolean;
  /** Lets go of a bet whose fate its player has seen; of no other. */
  forget: (requestId: string) => void;
  /** Takes note that betting on a draw has closed before its time: its result was saved, or it is drawn. */
  closed: (drawId: string) => void;
  /** Does now what is waited with: the connection is back, or the server's time was heard. */
  hurry: () => void;
  /** Ends all that this tab does; what is kept stays. */
  stop: () => void;
}

/** Placing for one account in one tab; it takes up at once what is kept. `changed` is called after each change of `bets`. */
export function createPlacing(ports: PlacingPorts, changed: () => void): Placing {
  const hands = new Map<string, InHand>();
  let shown: readonly KeptBet[] = [];
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
    // What a tab only asks about is kept by the tab that sends it.
    const isKept = bet === before || !(hand.maySend || isDecided(bet)) || ports.keep(bet);
    if (isDecided(bet)) finish(hand);
    else if (act?.do === 'send' && !isKept) {
      // Nothing is sent that is not kept first.
      hand.bet = before;
      hand.stopWaiting = ports.later(UNKEPT_WAIT_MS, () => run(hand, { is: 'due' }));
    } else perform(ports, hand, act, (next) => run(hand, next));
    tell();
  };

  const take = (bet: KeptBet, isOwn: boolean): void => {
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

  /** Takes over what other tabs have found out, kept anew or let go. */
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
/** How long it is waited where the device keeps nothing any more. */
const UNKEPT_WAIT_MS = 2_000;

/**
 * What is said of a sending after its tab has stopped is kept all the same, where nobody has gone on with it: a bet that was refused as its session had ended
 * is not sent again by the next one.
 */
function keepAnswer(ports: PlacingPorts, bet: KeptBet, event: BetEvent): void {
  if (event.is !== 'sent') return;
  const stored = ports.kept().find(({ requestId }) => requestId === bet.requestId);
  if (!stored || isDecided(stored) || stored.inDoubt !== bet.inDoubt || stored.tries !== bet.tries) return;
  ports.keep(betStep(bet, event, { now: ports.serverNow(), maySend: false }).bet);
}

/** Takes over what other tabs have kept and let go. What this tab sends it knows by itself, until it is decided. */
function adopt(hands: Map<string, InHand>, kept: ReadonlyMap<string, KeptBet>): void {
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

/** Does what comes next for a bet, and tells what came of it. */
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

/**
 * From now on betting on the draw of a bet is closed: what is asked after this is final. What was asked in the same moment or before may not be.
 */
function closeEarly(hand: InHand, now: number | null): void {
  if (now !== null && now < hand.bet.closesAt && !isDecided(hand.bet)) hand.bet = { ...hand.bet, closesAt: now + 1 };
}

/** Nothing more is done about a bet by this tab. */
function finish(hand: InHand): void {
  hand.stopWaiting?.();
  hand.release();
  Object.assign(hand, { stopWaiting: null, release: no });
}
