import type { PlayerWallets } from '../../ledger/wallets.ts';
import type { LiveSocket } from '../sockets/live-socket.ts';
import type { NetworkBoard } from '../panels/network-board.ts';

/** Minimum interval: a thousand bets become ten wallet reads a second. */
const TELL_EVERY_MS = 100;
/** Bounds staleness after another server's crash. */
const READ_AT_LEAST_EVERY_MS = 5_000;
const SWEEP_EVERY_MS = 30_000;
const DRAWS_TOLD = 500;

export interface WatchedAccount {
  readonly sockets: Set<LiveSocket>;
  told: PlayerWallets | undefined;
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
  /** Last state sent to all watchers. */
  board: NetworkBoard | undefined;
  boardChanged: boolean;
  untold: PendingNews;
  readonly toldDraws: Set<string>;
  /** Accounts already notified, per draw still being paid. */
  readonly toldInPieces: Map<string, Set<string>>;
  /** `performance.now()`. */
  toldAtMs: number;
  boardReadAtMs: number;
  sweptAtMs: number;
  timer: NodeJS.Timeout | undefined;
  dueAtMs: number;
  telling: boolean;
}

const nothing = (): PendingNews => ({ moved: new Set(), paid: new Map(), newcomers: new Map() });

export function newWatchedNetwork(networkId: number): WatchedNetwork {
  return {
    networkId,
    accounts: new Map(),
    board: undefined,
    boardChanged: false,
    untold: nothing(),
    toldDraws: new Set(),
    toldInPieces: new Map(),
    toldAtMs: -Infinity,
    boardReadAtMs: -Infinity,
    sweptAtMs: performance.now(),
    timer: undefined,
    dueAtMs: Infinity,
    telling: false,
  };
}

export function takePending(network: WatchedNetwork): PendingNews {
  const { untold } = network;
  network.untold = nothing();
  return untold;
}

/** Requeues after a failure, unless a socket asked for other games since. */
export function requeue({ untold }: WatchedNetwork, { moved, paid, newcomers }: PendingNews): void {
  for (const accountId of moved) untold.moved.add(accountId);
  for (const [drawId, gameKey] of paid) untold.paid.set(drawId, gameKey);
  for (const [socket, games] of newcomers) if (!untold.newcomers.has(socket)) untold.newcomers.set(socket, games);
}

/** `performance.now()`. */
export function notifyDueMs(network: WatchedNetwork): number {
  const { untold, boardChanged, toldAtMs, boardReadAtMs, sweptAtMs } = network;
  const isUntold = boardChanged || untold.moved.size + untold.paid.size + untold.newcomers.size > 0;
  const readAtMs = Math.min(boardReadAtMs + READ_AT_LEAST_EVERY_MS, sweptAtMs + SWEEP_EVERY_MS);
  return Math.max(toldAtMs + TELL_EVERY_MS, isUntold ? -Infinity : readAtMs);
}

export function isBoardDue({ board, boardChanged, boardReadAtMs }: WatchedNetwork, nowMs: number): boolean {
  return !board || boardChanged || nowMs - boardReadAtMs >= READ_AT_LEAST_EVERY_MS;
}

export function isSweepDue({ sweptAtMs }: WatchedNetwork, nowMs: number): boolean {
  return nowMs - sweptAtMs >= SWEEP_EVERY_MS;
}

/** Remembers ended draws whole, others per player. */
export function markSent(
  { toldDraws, toldInPieces }: WatchedNetwork,
  ended: Iterable<string>,
  paying: Iterable<{ readonly drawId: string; readonly accountId: string }>,
): void {
  for (const { drawId, accountId } of paying) {
    const told = toldInPieces.get(drawId) ?? new Set();
    toldInPieces.set(drawId, told.add(accountId));
  }
  for (const drawId of ended) {
    toldDraws.add(drawId);
    toldInPieces.delete(drawId);
  }
  for (const drawId of toldDraws) {
    if (toldDraws.size <= DRAWS_TOLD) return;
    toldDraws.delete(drawId);
  }
}
