import { CallError } from '../../../platform/http/http-errors.ts';
import { senderOf, type BetOrder } from '../bet-order.ts';
import type { PlacedBet } from '../judge-bets.ts';
import { TICKET_TEXTS } from '../../tickets-texts.ts';

/** Caps judging at a few milliseconds per batch. A single larger bet runs alone. */
const BATCH_LINES_MAX = 2_000;
/** With fewer waiting bets, the next batch starts after the first one's commit. */
const SECOND_BATCH_MIN_BETS = 32;
const BATCHES_PER_LANE = 2;
/** Fair share per sender while others wait. */
const BETS_PER_SENDER_MAX = 100;
const SCAN_MAX = 4_000;

export interface WaitingBet {
  readonly order: BetOrder;
  readonly answer: (outcome: PlacedBet | CallError) => void;
  /** `performance.now()`. */
  readonly sinceMs: number;
}

export interface BetLane {
  readonly key: string;
  readonly networkId: number;
  waiting: WaitingBet[];
  batches: number;
  isDue: boolean;
  /** Players in running batches or with locked bets. Their later bets wait. */
  readonly busy: Set<string>;
  /** Bets whose wallet is locked elsewhere, in arrival order. */
  locked: WaitingBet[];
  isWaitingForLock: boolean;
}

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

export function mayBegin(lane: BetLane): boolean {
  const least = lane.batches === 0 ? 1 : SECOND_BATCH_MIN_BETS;
  return !lane.isDue && lane.batches < BATCHES_PER_LANE && lane.waiting.length >= least;
}

export function isIdle(lane: BetLane): boolean {
  return (
    lane.waiting.length === 0 && lane.locked.length === 0 && lane.batches === 0 && !lane.isWaitingForLock && !lane.isDue
  );
}

/** `beforeMs`: `performance.now()` of the oldest bet to keep. */
export function refuseLate(waiting: WaitingBet[], beforeMs: number): void {
  const inTime = waiting.findIndex(({ sinceMs }) => sinceMs >= beforeMs);
  for (const { answer } of waiting.splice(0, inTime < 0 ? waiting.length : inTime)) answer(tooManyWait());
}

export const tooManyWait = (): CallError => new CallError('NOT_READY', { message: TICKET_TEXTS.tooManyBets });

export function beginBatch(lane: BetLane, batchMax: number): WaitingBet[] {
  const batch = nextBatch(lane, batchMax);
  lane.isDue = false;
  if (batch.length > 0) lane.batches++;
  for (const { order } of batch) lane.busy.add(order.actor.id);
  return batch;
}

interface BatchBuilder {
  readonly batch: WaitingBet[];
  readonly requests: Set<string>;
  lines: number;
  isFull: boolean;
}

/**
 * Takes bets in arrival order: first a fair share per sender, then the rest. Skips busy players, and any bet behind a
 * repeated request of this batch: the next batch finds its ticket.
 */
function nextBatch(lane: BetLane, batchMax: number): WaitingBet[] {
  const into: BatchBuilder = { batch: [], requests: new Set(), lines: 0, isFull: false };
  const passedOver = gather(lane, into, batchMax, BETS_PER_SENDER_MAX);
  if (passedOver && !into.isFull) gather(lane, into, batchMax, Infinity);
  return into.batch;
}

/** Returns true if the fair share alone skipped some bets. */
function gather(lane: BetLane, into: BatchBuilder, batchMax: number, ofSenderMax: number): boolean {
  const { batch, requests } = into;
  const later = new Set(lane.busy);
  const ofSender = new Map<string, number>();
  const left: WaitingBet[] = [];
  const end = ofSenderMax === Infinity ? lane.waiting.length : Math.min(lane.waiting.length, SCAN_MAX);
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

export function endBatch(lane: BetLane, batch: readonly WaitingBet[]): void {
  lane.batches--;
  const locked = new Set(lane.locked.map(({ order }) => order.actor.id));
  for (const { order } of batch) if (!locked.has(order.actor.id)) lane.busy.delete(order.actor.id);
}

export function takeLocked(lane: BetLane): WaitingBet[] {
  lane.isWaitingForLock = true;
  return lane.locked.splice(0);
}

export function endWait(lane: BetLane, players: readonly string[], there: readonly WaitingBet[]): void {
  lane.waiting.unshift(...there);
  for (const player of players) lane.busy.delete(player);
  lane.isWaitingForLock = false;
}
