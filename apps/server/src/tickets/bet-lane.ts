import { CallError } from '../http/http-errors.ts';
import { senderOf } from './bet-order.ts';
import type { BetOrder } from './bet-order.ts';
import type { TakenBet } from './judge-bets.ts';

/** A batch holds at most this many lines, unless it is one bet alone: no more than a few milliseconds of judging. */
const BATCH_LINES_MAX = 2_000;
/** While one batch of a lane is under way, a second is judged beside it once so many bets wait; fewer wait for the first one's commit. */
const SECOND_FROM = 32;
const BATCHES_PER_LANE = 2;
/** So many of a batch are of one sender while others wait: whoever asks for many at once holds up nobody who asks for a few. */
const OF_SENDER_MAX = 100;
/** So many that wait are looked through for others; these come before whoever came later all the same. */
const LOOKED_THROUGH_MAX = 4_000;

/** A bet that has no answer yet. */
export interface WaitingBet {
  readonly order: BetOrder;
  readonly answer: (outcome: TakenBet | CallError) => void;
  /** By `performance.now`. */
  readonly sinceMs: number;
}

/** The bets of one network on one game that have no answer yet. */
export interface BetLane {
  readonly key: string;
  readonly networkId: number;
  /** In the order in which they came. */
  waiting: WaitingBet[];
  /** How many are under way. */
  batches: number;
  /** Whether a batch is about to be begun. */
  isDue: boolean;
  /** The players of the batches under way, and of the bets that are locked: what else they lay comes after. */
  readonly busy: Set<string>;
  /** Bets whose players' wallets were locked elsewhere, in their order. */
  locked: WaitingBet[];
  /** Whether bets that were locked are waited for. */
  isWaitingForLock: boolean;
}

/** A lane in which nothing waits. */
export function newLane(key: string, networkId: number): BetLane {
  return {
    key,
    networkId,
    waiting: [],
    batches: 0,
    isDue: false,
    busy: new Set(),
    locked: [],
    isWaitingForLock: false,
  };
}

/** Whether the next batch may be begun: as soon as there is a bet, and beside another batch once there are enough. */
export function mayBegin(lane: BetLane): boolean {
  const least = lane.batches === 0 ? 1 : SECOND_FROM;
  return !lane.isDue && lane.batches < BATCHES_PER_LANE && lane.waiting.length >= least;
}

/** Whether nothing of a lane waits or is under way, so that it need not be kept. */
export function isIdle(lane: BetLane): boolean {
  return (
    lane.waiting.length === 0 && lane.locked.length === 0 && lane.batches === 0 && !lane.isWaitingForLock && !lane.isDue
  );
}

/** Tells those to come back who have waited since before a time, by `performance.now`: they have waited longest and come first. */
export function refuseLate(waiting: WaitingBet[], beforeMs: number): void {
  const inTime = waiting.findIndex(({ sinceMs }) => sinceMs >= beforeMs);
  for (const { answer } of waiting.splice(0, inTime < 0 ? waiting.length : inTime)) answer(tooManyWait());
}

/** What is told to a bet for which there is no room, or no time. */
export const tooManyWait = (): CallError =>
  new CallError('NOT_READY', { message: 'Too many bets are waiting. Please try again in a moment.' });

/** Begins the batch that is due: takes its bets, at most so many. Without a bet nothing is begun. */
export function beginBatch(lane: BetLane, batchMax: number): WaitingBet[] {
  const batch = nextBatch(lane, batchMax);
  lane.isDue = false;
  if (batch.length > 0) lane.batches++;
  for (const { order } of batch) lane.busy.add(order.actor.id);
  return batch;
}

/** A batch that is being put together. */
interface Gathering {
  readonly batch: WaitingBet[];
  readonly requests: Set<string>;
  lines: number;
  isFull: boolean;
}

/**
 * Takes the next bets of a lane from those that wait, in their order, at first a share of each sender, then what there is room for. What
 * players lay who are busy, and what comes after a request that repeats one of this batch, waits for the next: there it finds the first
 * one's ticket.
 */
function nextBatch(lane: BetLane, batchMax: number): WaitingBet[] {
  const into: Gathering = { batch: [], requests: new Set(), lines: 0, isFull: false };
  const passedOver = gather(lane, into, batchMax, OF_SENDER_MAX);
  if (passedOver && !into.isFull) gather(lane, into, batchMax, Infinity);
  return into.batch;
}

/** Adds bets to a batch, up to so many of each sender. Gives whether some were passed over for their sender alone. */
function gather(lane: BetLane, into: Gathering, batchMax: number, ofSenderMax: number): boolean {
  const { batch, requests } = into;
  const later = new Set(lane.busy);
  const ofSender = new Map<string, number>();
  const left: WaitingBet[] = [];
  const end = ofSenderMax === Infinity ? lane.waiting.length : Math.min(lane.waiting.length, LOOKED_THROUGH_MAX);
  let passedOver = end < lane.waiting.length;
  let at = 0;
  for (; at < end && batch.length < batchMax; at++) {
    const bet = lane.waiting[at]!;
    const { actor, requestId, lines } = bet.order;
    const name = `${actor.id} ${requestId}`;
    const sender = senderOf(bet.order);
    const many = ofSender.get(sender) ?? 0;
    const isTooMany = many >= ofSenderMax;
    if (isTooMany || later.has(actor.id) || requests.has(name)) {
      passedOver ||= isTooMany;
      later.add(actor.id);
      left.push(bet);
      continue;
    }
    if (batch.length > 0 && into.lines + lines.length > BATCH_LINES_MAX) {
      into.isFull = true;
      break;
    }
    into.lines += lines.length;
    ofSender.set(sender, many + 1);
    requests.add(name);
    batch.push(bet);
  }
  lane.waiting = [...left, ...lane.waiting.slice(at)];
  return passedOver;
}

/** Ends a batch that has its answers: its players may lay more, but those who have a bet that is locked. */
export function endBatch(lane: BetLane, batch: readonly WaitingBet[]): void {
  lane.batches--;
  const locked = new Set(lane.locked.map(({ order }) => order.actor.id));
  for (const { order } of batch) if (!locked.has(order.actor.id)) lane.busy.delete(order.actor.id);
}

/** Takes the bets out that are locked, to be waited for. */
export function takeLocked(lane: BetLane): WaitingBet[] {
  lane.isWaitingForLock = true;
  return lane.locked.splice(0);
}

/** Ends the wait for the bets of these players: what of them is to be taken comes first. */
export function endWait(lane: BetLane, players: readonly string[], there: readonly WaitingBet[]): void {
  lane.waiting.unshift(...there);
  for (const player of players) lane.busy.delete(player);
  lane.isWaitingForLock = false;
}
