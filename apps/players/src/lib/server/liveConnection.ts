import type { GameNews, PlayerEvents, WalletNews } from '@drawhouse/contract/players/player-live';
import type { Socket } from 'socket.io-client';
import { createPageStore, createSignal } from '@drawhouse/session/page-store';
import { endSession, getSession, onSession } from '../session/playerSession.ts';
import { noteServerTime } from './serverTime.ts';

type LiveSocket = Socket<
  Pick<PlayerEvents, 'gameNews' | 'walletNews'> & { error: (refusal: { code: string }) => void },
  Pick<PlayerEvents, 'watchGames'>
>;

/** `elsewhere`: newer pages of the session took over. */
export type ConnectionState = 'off' | 'connecting' | 'live' | 'lost' | 'elsewhere';

const RETRY_MS = 1000;
const FETCH_AGAIN_MS = 5000;

const gameListeners = new Map<(news: GameNews) => void, readonly string[]>();
const walletNews = createSignal<WalletNews>();
const reconnects = createSignal();
const state = createPageStore<ConnectionState>('off');
export const useConnectionState = state.useValue;
/** Fires after a reconnect. Missed events are not replayed, so reload. */
export const onReconnect = reconnects.listen;
let liveSocket: LiveSocket | null = null;
let socketToken: string | undefined;
let stopWatching = (): void => undefined;
let isConnecting = false;

onSession(() => {
  if (socketToken !== undefined && getSession()?.token !== socketToken) disconnect();
});
for (const event of ['focus', 'pageshow'])
  window.addEventListener(event, () => {
    if (state.get() === 'elsewhere') liveSocket?.connect();
  });

export function watchGames(gameIds: readonly string[], onNews: (news: GameNews) => void): () => void {
  gameListeners.set(onNews, gameIds);
  sendWatchedGames();
  void connect();
  return () => {
    gameListeners.delete(onNews);
    sendWatchedGames();
  };
}

export function watchWallet(onNews: (news: WalletNews) => void): () => void {
  void connect();
  return walletNews.listen(onNews);
}

async function connect(): Promise<void> {
  const token = getSession()?.token;
  if (token === undefined || isConnecting || (liveSocket && socketToken === token)) return;
  isConnecting = true;
  if (state.get() === 'off') state.set('connecting');
  try {
    await afterPaint();
    const line = await import('@drawhouse/session/live-line');
    if (getSession()?.token !== token) return;
    disconnect();
    socketToken = token;
    liveSocket = line.openLine(token, 0.5);
    listen(liveSocket);
    stopWatching = line.watchLine(liveSocket, {
      token,
      endSession,
      onConnect() {
        const isBack = state.get() === 'lost' || state.get() === 'elsewhere';
        state.set('live');
        sendWatchedGames();
        if (isBack) reconnects.notify();
      },
      onLost: () => state.set('lost'),
      onCrowdedOut: () => state.set('elsewhere'),
    });
    state.set('connecting');
  } catch {
    state.set('lost');
    setTimeout(() => void connect(), FETCH_AGAIN_MS);
  } finally {
    isConnecting = false;
  }
}

function listen(socket: LiveSocket): void {
  socket.on('error', ({ code }) => {
    if (/^(?:NOT_READY|INTERNAL|THROTTLED)$/.test(code)) setTimeout(sendWatchedGames, RETRY_MS);
  });
  socket.on('gameNews', (news) => {
    noteServerTime(news.serverTime);
    for (const [onNews, ids] of gameListeners) if (ids.includes(news.gameId)) onNews(news);
  });
  socket.on('walletNews', walletNews.notify);
}

/** Sends even an empty list, which starts wallet news. */
function sendWatchedGames(): void {
  if (liveSocket?.connected) liveSocket.emit('watchGames', [...new Set([...gameListeners.values()].flat())]);
}

function disconnect(): void {
  const old = liveSocket;
  liveSocket = null;
  socketToken = undefined;
  state.set('off');
  stopWatching();
  old?.removeAllListeners();
  old?.disconnect();
}

function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    // Hidden pages never paint.
    if (document.visibilityState === 'hidden') setTimeout(resolve, RETRY_MS);
  });
}
