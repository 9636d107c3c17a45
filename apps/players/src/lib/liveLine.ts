import { sessionEndOf } from '@drawhouse/session/session-end';
import type { GameNews, PlayerEvents, WalletNews } from '@drawhouse/contract/players/player-live';
import type { Socket } from 'socket.io-client';
import { useSyncExternalStore } from 'react';
import { endSession, getSession, onSession } from './playerSession.ts';
import { lookForServer } from '@drawhouse/session/server-reach';
import { noteServerTime } from './serverTime.ts';

type Line = Socket<
  Pick<PlayerEvents, 'gameNews' | 'walletNews'> & { error: (refusal: { code: string }) => void },
  Pick<PlayerEvents, 'watchGames'>
>;

/** How the live connection stands: not wanted, being made for the first time, there, lost, or left to newer pages of the same session. */
export type LineState = 'off' | 'connecting' | 'live' | 'lost' | 'elsewhere';

const RETRY_MS = 1000;
/** What could not be fetched is fetched again after this. */
const FETCH_AGAIN_MS = 5000;

const gameListeners = new Map<(news: GameNews) => void, readonly string[]>();
const walletListeners = new Set<(news: WalletNews) => void>();
const stateListeners = new Set<() => void>();
const backListeners = new Set<() => void>();
let line: Line | null = null;
let lineToken: string | undefined;
let isComing = false;
let state: LineState = 'off';

onSession(() => {
  if (lineToken !== undefined && getSession()?.token !== lineToken) hangUp();
});
for (const event of ['focus', 'pageshow'])
  window.addEventListener(event, () => {
    if (state === 'elsewhere') line?.connect();
  });

/** Hears of games of the own network, as they now are and from now on; answers how to stop. */
export function watchGames(gameIds: readonly string[], hear: (news: GameNews) => void): () => void {
  gameListeners.set(hear, gameIds);
  sayWatched();
  void pickUp();
  return () => {
    gameListeners.delete(hear);
    sayWatched();
  };
}

/** Hears whenever the own wallet has changed; answers how to stop. */
export function watchWallet(hear: (news: WalletNews) => void): () => void {
  walletListeners.add(hear);
  void pickUp();
  return () => void walletListeners.delete(hear);
}

/** Hears whenever the live connection is back after it was lost, or left to other pages: what happened meanwhile is not told again; answers how to stop. */
export function onLineBack(hear: () => void): () => void {
  backListeners.add(hear);
  return () => void backListeners.delete(hear);
}

/** How the live connection stands, as it now is. */
export function useLineState(): LineState {
  return useSyncExternalStore(
    (listener) => {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    () => state,
  );
}

async function pickUp(): Promise<void> {
  const token = getSession()?.token;
  if (token === undefined || isComing || (line && lineToken === token)) return;
  isComing = true;
  if (state === 'off') setState('connecting');
  try {
    await afterPaint();
    const { io } = await import('socket.io-client');
    if (getSession()?.token !== token) return;
    hangUp();
    lineToken = token;
    line = io({
      auth: { token },
      transports: ['websocket', 'polling'],
      // Some networks let no WebSocket through.
      tryAllTransports: true,
      reconnectionDelay: RETRY_MS,
      reconnectionDelayMax: RETRY_MS,
      randomizationFactor: 0.5,
    });
    listen(line, token);
    setState('connecting');
  } catch {
    setState('lost');
    setTimeout(() => void pickUp(), FETCH_AGAIN_MS);
  } finally {
    isComing = false;
  }
}

function listen(socket: Line, token: string): void {
  socket.on('connect', () => {
    const isBack = state === 'lost' || state === 'elsewhere';
    setState('live');
    sayWatched();
    if (isBack) for (const hear of backListeners) hear();
  });
  socket.on('disconnect', () => {
    if (state === 'elsewhere') return;
    setState('lost');
    // What the client does not try again by itself was closed by the server, as when the session ends: it then says so.
    if (socket.active) void lookForServer();
    else connectSoon(socket);
  });
  socket.on('connect_error', (error: Error & { data?: { code?: unknown } }) => {
    const end = sessionEndOf(error.data?.code);
    if (end) endSession(end, token);
    else {
      setState('lost');
      // Some networks swallow what begins a WebSocket, and say nothing.
      if (error.message === 'timeout') socket.io.opts.transports = ['polling', 'websocket'];
      if (!socket.active) connectSoon(socket);
    }
  });
  socket.on('error', ({ code }) => {
    if (code === 'TOO_MANY_SOCKETS') setState('elsewhere');
    // The server could not answer at the moment: what was asked for is not told yet.
    else if (/^(?:NOT_READY|INTERNAL|THROTTLED)$/.test(code)) setTimeout(sayWatched, RETRY_MS);
  });
  socket.on('gameNews', (news) => {
    noteServerTime(news.serverTime);
    for (const [hear, ids] of gameListeners) if (ids.includes(news.gameId)) hear(news);
  });
  socket.on('walletNews', (news) => {
    for (const hear of walletListeners) hear(news);
  });
}

function connectSoon(socket: Line): void {
  setTimeout(() => {
    if (line === socket) socket.connect();
  }, RETRY_MS);
}

/** Also where nothing is watched: from then on the server tells of the wallet. */
function sayWatched(): void {
  if (line?.connected) line.emit('watchGames', [...new Set([...gameListeners.values()].flat())]);
}

function hangUp(): void {
  const old = line;
  line = null;
  lineToken = undefined;
  setState('off');
  old?.removeAllListeners();
  old?.disconnect();
}

function setState(now: LineState): void {
  if (state === now) return;
  state = now;
  for (const listener of stateListeners) listener();
}

/** After the page has been painted, so that what it shows does not wait for the connection. */
function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    // A page that is not looked at paints nothing.
    if (document.visibilityState === 'hidden') setTimeout(resolve, RETRY_MS);
  });
}
