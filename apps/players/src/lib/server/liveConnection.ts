import { sessionEndOf } from '@drawhouse/session/session-end';
import type { GameNews, PlayerEvents, WalletNews } from '@drawhouse/contract/players/player-live';
import type { Socket } from 'socket.io-client';
import { createPageStore, createSignal } from '@drawhouse/session/page-store';
import { endSession, getSession, onSession } from '../session/playerSession.ts';
import { pingServer } from '@drawhouse/session/server-reach';
import { noteServerTime } from './serverTime.ts';

type Line = Socket<
  Pick<PlayerEvents, 'gameNews' | 'walletNews'> & { error: (refusal: { code: string }) => void },
  Pick<PlayerEvents, 'watchGames'>
>;

/** `elsewhere`: displaced by newer pages of the session. */
export type ConnectionState = 'off' | 'connecting' | 'live' | 'lost' | 'elsewhere';

const RETRY_MS = 1000;
const FETCH_AGAIN_MS = 5000;

const gameListeners = new Map<(news: GameNews) => void, readonly string[]>();
const walletNews = createSignal<WalletNews>();
const back = createSignal();
const state = createPageStore<ConnectionState>('off');
export const useLineState = state.useValue;
/** Fires after a reconnect. Missed events are not replayed, so reload. Returns an unsubscribe function. */
export const onReconnect = back.listen;
let line: Line | null = null;
let lineToken: string | undefined;
let isComing = false;

onSession(() => {
  if (lineToken !== undefined && getSession()?.token !== lineToken) hangUp();
});
for (const event of ['focus', 'pageshow'])
  window.addEventListener(event, () => {
    if (state.get() === 'elsewhere') line?.connect();
  });

export function watchGames(gameIds: readonly string[], hear: (news: GameNews) => void): () => void {
  gameListeners.set(hear, gameIds);
  sendWatchedGames();
  void pickUp();
  return () => {
    gameListeners.delete(hear);
    sendWatchedGames();
  };
}

export function watchWallet(hear: (news: WalletNews) => void): () => void {
  void pickUp();
  return walletNews.listen(hear);
}

async function pickUp(): Promise<void> {
  const token = getSession()?.token;
  if (token === undefined || isComing || (line && lineToken === token)) return;
  isComing = true;
  if (state.get() === 'off') state.set('connecting');
  try {
    await afterPaint();
    const { io } = await import('socket.io-client');
    if (getSession()?.token !== token) return;
    hangUp();
    lineToken = token;
    line = io({
      auth: { token },
      transports: ['websocket', 'polling'],
      // Some networks block WebSocket.
      tryAllTransports: true,
      reconnectionDelay: RETRY_MS,
      reconnectionDelayMax: RETRY_MS,
      randomizationFactor: 0.5,
    });
    listen(line, token);
    state.set('connecting');
  } catch {
    state.set('lost');
    setTimeout(() => void pickUp(), FETCH_AGAIN_MS);
  } finally {
    isComing = false;
  }
}

function listen(socket: Line, token: string): void {
  socket.on('connect', () => {
    const isBack = state.get() === 'lost' || state.get() === 'elsewhere';
    state.set('live');
    sendWatchedGames();
    if (isBack) back.tell();
  });
  socket.on('disconnect', () => {
    if (state.get() === 'elsewhere') return;
    state.set('lost');
    // Server-side disconnects, e.g. at session end, don't reconnect automatically.
    if (socket.active) void pingServer();
    else connectSoon(socket);
  });
  socket.on('connect_error', (error: Error & { data?: { code?: unknown } }) => {
    const end = sessionEndOf(error.data?.code);
    if (end) endSession(end, token);
    else {
      state.set('lost');
      // Some networks silently drop WebSocket upgrades.
      if (error.message === 'timeout') socket.io.opts.transports = ['polling', 'websocket'];
      if (!socket.active) connectSoon(socket);
    }
  });
  socket.on('error', ({ code }) => {
    if (code === 'TOO_MANY_SOCKETS') state.set('elsewhere');
    // Temporary server failure: resubscribe later.
    else if (/^(?:NOT_READY|INTERNAL|THROTTLED)$/.test(code)) setTimeout(sendWatchedGames, RETRY_MS);
  });
  socket.on('gameNews', (news) => {
    noteServerTime(news.serverTime);
    for (const [hear, ids] of gameListeners) if (ids.includes(news.gameId)) hear(news);
  });
  socket.on('walletNews', walletNews.tell);
}

function connectSoon(socket: Line): void {
  setTimeout(() => {
    if (line === socket) socket.connect();
  }, RETRY_MS);
}

/** Even an empty list: the server then starts sending wallet news. */
function sendWatchedGames(): void {
  if (line?.connected) line.emit('watchGames', [...new Set([...gameListeners.values()].flat())]);
}

function hangUp(): void {
  const old = line;
  line = null;
  lineToken = undefined;
  state.set('off');
  old?.removeAllListeners();
  old?.disconnect();
}

/** Painting comes before connecting. */
function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    // Hidden pages never paint.
    if (document.visibilityState === 'hidden') setTimeout(resolve, RETRY_MS);
  });
}
