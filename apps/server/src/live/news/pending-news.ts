import type { PlayerWallets } from '../../ledger/wallets.ts';
import type { LiveSocket } from '../sockets/live-socket.ts';
import type { NetworkBoard } from '../panels/network-board.ts';

/** A thousand bets become ten wallet reads a second. */
const NOTIFY_EVERY_MS = 100;
/** Bounds staleness after another server's crash. */
const READ_AT_LEAST_EVERY_MS = 5_000;
const SWEEP_EVERY_MS = 30_000;
const MAX_SENT_DRAWS = 500;

export interface WatchedAccount {
  readonly sockets: Set<LiveSocket>;
  sent: PlayerWallets | undefined;
}

export interface PendingNews {
  readonly moved: Set<string>;
  readonly paid: Map<string, string>;
  /** Sockets owed full state, with the requested games. */
  readonly newcomers: Map<LiveSocket, readonly string[]>;
}

export interface WatchedNetwork {
  readonly networkId: number;
  readonly accounts: Map<string, WatchedAccount>;
  board: NetworkBoard | undefined;
  boardChanged: boolean;
  pending: PendingNews;
  readonly sentDraws: Set<string>;
  readonly sentInPieces: Map<string, Set<string>>;
  sentAtMs: number;
  boardReadAtMs: number;
  sweptAtMs: number;
  timer: NodeJS.Timeout | undefined;
  dueAtMs: number;
  notifying: boolean;
}

const nothing = (): PendingNews => ({ moved: new Set(), paid: new Map(), newcomers: new Map() });

export function newWatchedNetwork(networkId: number): WatchedNetwork {
  return {
    networkId,
    accounts: new Map(),
    board: undefined,
    boardChanged: false,
    pending: nothing(),
    sentDraws: new Set(),
    sentInPieces: new Map(),
    sentAtMs: -Infinity,
    boardReadAtMs: -Infinity,
    sweptAtMs: performance.now(),
    timer: undefined,
    dueAtMs: Infinity,
    notifying: false,
  };
}

export function takePending(network: WatchedNetwork): PendingNews {
  const { pending } = network;
  network.pending = nothing();
  return pending;
}

/** Keeps news after a failure, unless a socket asked for other games since. */
export function requeue({ pending }: WatchedNetwork, { moved, paid, newcomers }: PendingNews): void {
  for (const accountId of moved) pending.moved.add(accountId);
  for (const [drawId, gameKey] of paid) pending.paid.set(drawId, gameKey);
  for (const [socket, games] of newcomers) if (!pending.newcomers.has(socket)) pending.newcomers.set(socket, games);
}

export function notifyDueMs(network: WatchedNetwork): number {
  const { pending, boardChanged, sentAtMs, boardReadAtMs, sweptAtMs } = network;
  const isPending = boardChanged || pending.moved.size + pending.paid.size + pending.newcomers.size > 0;
  const readAtMs = Math.min(boardReadAtMs + READ_AT_LEAST_EVERY_MS, sweptAtMs + SWEEP_EVERY_MS);
  return Math.max(sentAtMs + NOTIFY_EVERY_MS, isPending ? -Infinity : readAtMs);
}

export function isBoardDue({ board, boardChanged, boardReadAtMs }: WatchedNetwork, nowMs: number): boolean {
  return !board || boardChanged || nowMs - boardReadAtMs >= READ_AT_LEAST_EVERY_MS;
}

export function isSweepDue({ sweptAtMs }: WatchedNetwork, nowMs: number): boolean {
  return nowMs - sweptAtMs >= SWEEP_EVERY_MS;
}

/** Ended draws are remembered whole, others per player. */
export function markSent(
  { sentDraws, sentInPieces }: WatchedNetwork,
  ended: Iterable<string>,
  paying: Iterable<{ readonly drawId: string; readonly accountId: string }>,
): void {
  for (const { drawId, accountId } of paying) {
    const sent = sentInPieces.get(drawId) ?? new Set();
    sentInPieces.set(drawId, sent.add(accountId));
  }
  for (const drawId of ended) {
    sentDraws.add(drawId);
    sentInPieces.delete(drawId);
  }
  for (const drawId of sentDraws) {
    if (sentDraws.size <= MAX_SENT_DRAWS) return;
    sentDraws.delete(drawId);
  }
}
