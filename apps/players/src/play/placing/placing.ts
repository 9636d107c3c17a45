import { type BetAnswer, type BetOutcome, isDecided, newBet, type PendingBet } from './pendingBet.ts';

/** Each tab has its own; storage is shared per account. */
export interface PlacingPorts {
  /** False if storage fails. */
  readonly save: (bet: PendingBet) => boolean;
  readonly stored: () => PendingBet[];
  readonly remove: (requestId: string) => void;
  readonly watch: (onChange: () => void) => () => void;
  readonly send: (bet: PendingBet, onAnswer: (answer: BetAnswer) => void) => void;
  readonly ask: (bet: PendingBet, onAnswer: (answer: BetAnswer) => void) => void;
  readonly schedule: (ms: number, then: () => void) => () => void;
  /** Unix milliseconds, a lower bound; null before the first sample. */
  readonly serverNow: () => number | null;
  /**
   * Locks a bet across tabs until `release` or the tab's end. Null without Web Locks: then only the creating tab sends.
   */
  readonly lock: ((requestId: string, onLocked: (release: () => void) => void) => void) | null;
}

interface BetTask {
  bet: PendingBet;
  maySend: boolean;
  stopWaiting: (() => void) | null;
  release: () => void;
}

/** Places each ticket at most once, and determines its outcome. */
export interface Placing {
  /** Oldest first; the reference is stable until a change. */
  bets: () => readonly PendingBet[];
  /** False if storing failed; nothing was sent. Ignores request ids that any tab has stored. */
  place: (bet: Parameters<typeof newBet>[0]) => boolean;
  forget: (requestId: string) => void;
  /** Betting closed early: result saved or drawn. */
  closed: (drawId: string) => void;
  /** Skips current waits, after a reconnect or a new server time. */
  skipWaits: () => void;
  stop: () => void;
}

export function createPlacing(ports: PlacingPorts, onChange: () => void): Placing {
  const tasks = new Map<string, BetTask>();
  let shown: readonly PendingBet[] = [];
  let isStopped = false;
  const notify = (): void => {
    shown = [...tasks.values()].map(({ bet }) => bet);
    onChange();
  };

  const run = (task: BetTask, event: BetEvent): void => {
    if (isStopped) return storeLateAnswer(ports, task.bet, event);
    if (!tasks.has(task.bet.requestId)) return;
    task.stopWaiting?.();
    task.stopWaiting = null;
    const before = task.bet;
    const { bet, act } = betStep(before, event, { now: ports.serverNow(), maySend: task.maySend });
    task.bet = bet;
    // Only the sender stores an undecided bet.
    const isStored = bet === before || !(task.maySend || isDecided(bet)) || ports.save(bet);
    if (isDecided(bet)) finish(task);
    else if (act?.do === 'send' && !isStored) {
      // Never send before storing.
      task.bet = before;
      task.stopWaiting = ports.schedule(UNSTORED_WAIT_MS, () => run(task, { kind: 'due' }));
    } else perform(ports, task, act, (next) => run(task, next));
    notify();
  };

  const take = (bet: PendingBet, isOwn: boolean): void => {
    const task: BetTask = { bet, maySend: isOwn && !ports.lock, stopWaiting: null, release: noop };
    tasks.set(bet.requestId, task);
    if (isDecided(bet)) return;
    if (!ports.lock) return run(task, { kind: 'due' });
    ports.lock(bet.requestId, (release) => {
      const fresh = ports.stored().find(({ requestId }) => requestId === bet.requestId);
      if (isStopped || !fresh || isDecided(fresh)) {
        release();
        if (!isStopped) follow();
        return;
      }
      Object.assign(task, { bet: fresh, maySend: true, release });
      run(task, { kind: 'due' });
    });
  };

  const follow = (): void => {
    const stored = new Map(ports.stored().map((bet) => [bet.requestId, bet]));
    adopt(tasks, stored);
    for (const bet of stored.values()) if (!tasks.has(bet.requestId)) take(bet, false);
    notify();
  };

  for (const bet of ports.stored()) take(bet, false);
  notify();
  const stopWatching = ports.watch(follow);

  return {
    bets: () => shown,
    place: (order) => {
      const bet = newBet(order);
      const isStored = ports.stored().some(({ requestId }) => requestId === bet.requestId);
      if (!isStored && !ports.save(bet)) return false;
      if (!isStored) take(bet, true);
      follow();
      return true;
    },
    forget: (requestId) => {
      const task = tasks.get(requestId);
      if (!task || !isDecided(task.bet)) return;
      tasks.delete(requestId);
      ports.remove(requestId);
      notify();
    },
    closed: (drawId) => {
      for (const task of tasks.values()) if (task.bet.drawId === drawId) closeEarly(task, ports.serverNow());
      for (const task of tasks.values()) if (task.bet.drawId === drawId && task.stopWaiting) run(task, { kind: 'due' });
    },
    skipWaits: () => {
      for (const task of tasks.values()) if (task.stopWaiting) run(task, { kind: 'due' });
    },
    stop: () => {
      isStopped = true;
      stopWatching();
      for (const task of tasks.values()) finish(task);
    },
  };
}

const noop = (): void => {};
const UNSTORED_WAIT_MS = 2_000;

/**
 * Stores a late answer after this tab stopped, unless another tab took over. Prevents resending a bet refused at
 * session end.
 */
function storeLateAnswer(ports: PlacingPorts, bet: PendingBet, event: BetEvent): void {
  if (event.kind !== 'sent') return;
  const stored = ports.stored().find(({ requestId }) => requestId === bet.requestId);
  if (!stored || isDecided(stored) || stored.inDoubt !== bet.inDoubt || stored.tries !== bet.tries) return;
  ports.save(betStep(bet, event, { now: ports.serverNow(), maySend: false }).bet);
}

/** Adopts other tabs' state, except for undecided bets that this tab sends. */
function adopt(tasks: Map<string, BetTask>, stored: ReadonlyMap<string, PendingBet>): void {
  for (const [requestId, task] of tasks) {
    const fresh = stored.get(requestId);
    if (task.maySend && !isDecided(task.bet) && !(fresh && isDecided(fresh))) continue;
    if (!fresh) {
      finish(task);
      tasks.delete(requestId);
    } else if (!isDecided(task.bet)) {
      task.bet = fresh;
      if (isDecided(fresh)) finish(task);
    }
  }
}

function perform(ports: PlacingPorts, task: BetTask, act: BetAct, onEvent: (event: BetEvent) => void): void {
  switch (act?.do) {
    case 'send':
      ports.send(task.bet, (answer) => onEvent({ kind: 'sent', answer }));
      break;
    case 'ask': {
      const askedAt = ports.serverNow();
      ports.ask(task.bet, (answer) => onEvent({ kind: 'asked', answer, askedAt }));
      break;
    }
    case 'wait':
      task.stopWaiting = ports.schedule(act.ms, () => onEvent({ kind: 'due' }));
      break;
    default:
  }
}

/** A query is final only if sent after this moment. */
function closeEarly(task: BetTask, now: number | null): void {
  if (now !== null && now < task.bet.closesAt && !isDecided(task.bet)) task.bet = { ...task.bet, closesAt: now + 1 };
}

function finish(task: BetTask): void {
  task.stopWaiting?.();
  task.release();
  Object.assign(task, { stopWaiting: null, release: noop });
}

export type BetEvent =
  | { readonly kind: 'due' }
  | { readonly kind: 'sent'; readonly answer: BetAnswer }
  /** `askedAt`: server time when asked, or earlier. Null: unknown. */
  | { readonly kind: 'asked'; readonly answer: BetAnswer; readonly askedAt: number | null };

/** Store the bet before acting. Null: decided. */
type BetAct = { readonly do: 'send' | 'ask' } | { readonly do: 'wait'; readonly ms: number } | null;

interface BetDoer {
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
