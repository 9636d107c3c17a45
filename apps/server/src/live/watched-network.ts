import type { PlayerWallets } from '../ledger/wallets.ts';
import type { LiveSocket } from './live-socket.ts';
import type { NetworkBoard } from './network-board.ts';

/** Something is told of a network at most so often: a thousand bets are ten readings of wallets a second. */
const TELL_EVERY_MS = 100;
/** The games of a network are read at least so often: what a server that died has told nobody is seen then. */
const READ_AT_LEAST_EVERY_MS = 5_000;
/** So are the wallets of all who watch. */
const SWEEP_EVERY_MS = 30_000;
/** So many draws of a network are remembered as told. */
const DRAWS_TOLD = 500;

/** A player who watches. */
export interface WatchedAccount {
  readonly sockets: Set<LiveSocket>;
  /** What it was told last that it has. */
  told: PlayerWallets | undefined;
}

/** What there is to tell of a network. */
export interface Untold {
  /** Accounts whose wallets have changed. */
  readonly moved: Set<string>;
  /** Draws that were paid: the keys of their games by their ids. */
  readonly paid: Map<string, string>;
  /** Who has asked for games, and for which: they are told all of these, and what they have. */
  readonly newcomers: Map<LiveSocket, readonly string[]>;
}

/** A network some of whose players watch games here. */
export interface WatchedNetwork {
  readonly networkId: number;
  readonly accounts: Map<string, WatchedAccount>;
  /** Its games as they were read last; all who watch have been told of them. */
  board: NetworkBoard | undefined;
  /** Something has changed on it since it was read. */
  boardChanged: boolean;
  untold: Untold;
  /** The draws whose payments were told, the latest last. */
  readonly toldDraws: Set<string>;
  /** Who was told of its payment in draws that are being paid, by their ids. */
  readonly toldInPieces: Map<string, Set<string>>;
  /** In milliseconds of `performance.now`. */
  toldAtMs: number;
  boardReadAtMs: number;
  sweptAtMs: number;
  timer: NodeJS.Timeout | undefined;
  /** When the timer ends. */
  dueAtMs: number;
  telling: boolean;
}

const nothing = (): Untold => ({ moved: new Set(), paid: new Map(), newcomers: new Map() });

/** A network that nobody watches yet. */
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

/** Takes what there is to tell: what comes from now on is told the next time. */
export function takeUntold(network: WatchedNetwork): Untold {
  const { untold } = network;
  network.untold = nothing();
  return untold;
}

/** Puts back what could not be told; a newcomer may have asked for other games since. */
export function putBack({ untold }: WatchedNetwork, { moved, paid, newcomers }: Untold): void {
  for (const accountId of moved) untold.moved.add(accountId);
  for (const [drawId, gameKey] of paid) untold.paid.set(drawId, gameKey);
  for (const [socket, games] of newcomers) if (!untold.newcomers.has(socket)) untold.newcomers.set(socket, games);
}

/** When something is to be told next, by `performance.now`. */
export function tellDueMs(network: WatchedNetwork): number {
  const { untold, boardChanged, toldAtMs, boardReadAtMs, sweptAtMs } = network;
  const isUntold = boardChanged || untold.moved.size + untold.paid.size + untold.newcomers.size > 0;
  const readAtMs = Math.min(boardReadAtMs + READ_AT_LEAST_EVERY_MS, sweptAtMs + SWEEP_EVERY_MS);
  return Math.max(toldAtMs + TELL_EVERY_MS, isUntold ? -Infinity : readAtMs);
}

/** Whether its games are to be read. */
export function isBoardDue({ board, boardChanged, boardReadAtMs }: WatchedNetwork, nowMs: number): boolean {
  return !board || boardChanged || nowMs - boardReadAtMs >= READ_AT_LEAST_EVERY_MS;
}

/** Whether the wallets of all who watch are to be read. */
export function isSweepDue({ sweptAtMs }: WatchedNetwork, nowMs: number): boolean {
  return nowMs - sweptAtMs >= SWEEP_EVERY_MS;
}

/** Notes that payments of draws were told: those in draws that have ended, and those of players of draws that others are still to be paid in. */
export function noteTold(
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
