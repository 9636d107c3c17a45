import type { GameNews, WalletNews } from '@drawhouse/contract/players/player-live';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { Services } from '../../platform/services.ts';
import { readNetworkGames } from '../../draws/schedule/network-games.ts';
import { recentOutsideResults } from '../../draws/results/corrected-draws.sql.ts';
import { playerWallets, type PlayerWallets } from '../../ledger/wallets.ts';
import { findEndedDraws, paidPlayers, type PaidPlayer } from '../../tickets/claim/claim-ticket.ts';
import type { LiveServer, LiveSocket } from '../sockets/live-socket.ts';
import {
  boardOf,
  newResults,
  newsBetween,
  fullNews,
  type NetworkBoard,
  type UntimedNews,
} from '../panels/network-board.ts';
import { isBoardDue, isSweepDue, markSent, type PendingNews, type WatchedNetwork } from './pending-news.ts';

const NOTIFIED_AT_ONCE = 250;

interface Read {
  readonly now: Date;
  readonly before: NetworkBoard | undefined;
  readonly board: NetworkBoard;
  readonly paid: ReadonlyMap<string, string>;
  readonly ended: ReadonlySet<string>;
  readonly players: readonly PaidPlayer[];
  readonly wallets: ReadonlyMap<string, PlayerWallets>;
}

/** Own wallets first, then games. Reads only changed wallets with open sockets. */
export async function notifyNetwork(
  io: LiveServer,
  services: Services,
  network: WatchedNetwork,
  pending: PendingNews,
): Promise<void> {
  const read = await readPending(services, network, pending);
  network.board = read.board;
  const paying = read.players.filter((player) => !read.ended.has(player.draw_id));
  markSent(
    network,
    read.ended,
    paying.map((player) => ({ drawId: player.draw_id, accountId: player.account_id })),
  );
  await notifyWallets(network, read);
  notifyGames(io, network, read);
  for (const [socket, games] of pending.newcomers) if (socket.connected) notifyNewcomer(network, read, socket, games);
}

async function readPending(
  { db, clock }: Services,
  network: WatchedNetwork,
  { moved, paid, newcomers }: PendingNews,
): Promise<Read> {
  const { networkId, accounts, board: before, sentDraws, sentInPieces } = network;
  const now = clock.now();
  const nowMs = performance.now();
  let board = before;
  if (!board || isBoardDue(network, nowMs)) {
    network.boardChanged = false;
    network.boardReadAtMs = nowMs;
    board = boardOf(await readNetworkGames(db, networkId, now, 1), await recentOutsideResults(db, networkId, now));
    // A result seen before its payment notice brings the win along.
    if (before) for (const { gameKey, drawId } of newResults(before, board)) paid.set(drawId, gameKey);
  }
  for (const drawId of paid.keys()) if (sentDraws.has(drawId)) paid.delete(drawId);
  const watching = [...accounts.keys()];
  // Read first: a draw listed as ended has then paid every player read below.
  const ended = paid.size > 0 ? await findEndedDraws(db, networkId, [...paid.keys()]) : new Set<string>();
  const players = (paid.size > 0 ? await paidPlayers(db, networkId, [...paid.keys()], watching) : []).filter(
    ({ draw_id, account_id }) => !sentInPieces.get(draw_id)?.has(account_id),
  );
  const sweeps = isSweepDue(network, nowMs);
  if (sweeps) network.sweptAtMs = nowMs;
  const changed = new Set([
    ...moved,
    ...players.map((player) => player.account_id),
    ...Array.from(newcomers.keys(), (socket) => socket.data.session.actor.id),
  ]);
  const recipients = sweeps ? watching : [...changed];
  const wallets =
    recipients.length > 0 ? await playerWallets(db, networkId, recipients) : new Map<string, PlayerWallets>();
  return { now, before, board, paid, ended, players, wallets };
}

async function notifyWallets({ accounts }: WatchedNetwork, { paid, players, wallets }: Read): Promise<void> {
  const settlements = Map.groupBy(
    players.filter(({ win }) => win !== null),
    (player) => player.account_id,
  );
  let notified = 0;
  for (const [accountId, balance] of wallets) {
    const account = accounts.get(accountId);
    if (!account) continue;
    const settled = settlements.get(accountId) ?? [];
    const isOther =
      account.sent && (account.sent.credit !== balance.credit || account.sent.winnings !== balance.winnings);
    account.sent = balance;
    const news = settled.map(({ draw_id: drawId, stake, win }) =>
      walletNews(balance, { gameId: paid.get(drawId)!, drawId, staked: pointsOf(stake), won: pointsOf(win!) }),
    );
    if (news.length === 0 && isOther) news.push(walletNews(balance, null));
    for (const one of news) for (const socket of account.sockets) socket.emit('walletNews', one);
    if (news.length > 0 && ++notified % NOTIFIED_AT_ONCE === 0) await yieldToOthers();
  }
}

const yieldToOthers = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function walletNews({ credit, winnings }: PlayerWallets, settled: WalletNews['settled']): WalletNews {
  return { walletBalance: pointsOf(credit), winnings: pointsOf(winnings), settled };
}

const roomOf = (networkId: number, gameKey: string): string => `${ROOMS}${networkId} ${gameKey}`;
const ROOMS = 'game ';

function notifyGames(io: LiveServer, { networkId }: WatchedNetwork, { now, before, board }: Read): void {
  // Rooms are empty before the first read.
  if (!before || before === board) return;
  for (const news of newsBetween(before, board)) {
    const room = roomOf(networkId, news.gameId);
    if (io.sockets.adapter.rooms.has(room)) io.to(room).emit('gameNews', gameNews(news, now));
  }
}

function gameNews({ gameId, ...news }: UntimedNews, now: Date): GameNews {
  return { gameId, serverTime: now.toISOString(), ...news };
}

function notifyNewcomer(
  { networkId, accounts }: WatchedNetwork,
  { now, board, wallets }: Read,
  socket: LiveSocket,
  games: readonly string[],
): void {
  const rooms = new Set(games.filter((gameKey) => board.has(gameKey)).map((gameKey) => roomOf(networkId, gameKey)));
  for (const room of socket.rooms) if (room.startsWith(ROOMS) && !rooms.has(room)) void socket.leave(room);
  void socket.join([...rooms]);
  const accountId = socket.data.session.actor.id;
  const balance = wallets.get(accountId) ?? accounts.get(accountId)?.sent;
  if (balance) socket.emit('walletNews', walletNews(balance, null));
  for (const gameKey of new Set(games)) {
    const game = board.get(gameKey);
    if (game) socket.emit('gameNews', gameNews(fullNews(gameKey, game), now));
  }
}
