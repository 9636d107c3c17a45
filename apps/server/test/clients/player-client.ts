import type { LiveEvents } from '@drawhouse/contract/live/live';
import type { GameNews, PlayerEvents, WalletNews } from '@drawhouse/contract/players/player-live';
import { io, type Socket } from 'socket.io-client';
import type { SignedIn } from '../harness.ts';

type PlayerSocket = Socket<
  Pick<LiveEvents, 'error'> & Pick<PlayerEvents, 'gameNews' | 'walletNews'>,
  { watchGames: (games: unknown) => void }
>;

export class PlayerClient {
  readonly socket: PlayerSocket;
  readonly received: (GameNews | WalletNews)[] = [];
  readonly games: GameNews[] = [];
  readonly wallets: WalletNews[] = [];
  readonly refusals: string[] = [];
  readonly closed: string[] = [];
  #watched: unknown;

  constructor(url: string, player: Pick<SignedIn, 'token'>, { reconnectMs }: { reconnectMs?: number } = {}) {
    this.socket = io(url, {
      auth: { token: player.token },
      transports: ['websocket'],
      forceNew: true,
      reconnection: reconnectMs !== undefined,
      ...(reconnectMs !== undefined && {
        reconnectionDelay: reconnectMs,
        reconnectionDelayMax: reconnectMs,
        randomizationFactor: 0,
      }),
    });
    this.socket.on('connect', () => this.#watched !== undefined && this.socket.emit('watchGames', this.#watched));
    this.socket.on('gameNews', (news) => {
      this.received.push(news);
      this.games.push(news);
    });
    this.socket.on('walletNews', (news) => {
      this.received.push(news);
      this.wallets.push(news);
    });
    this.socket.on('error', ({ code }) => void this.refusals.push(code));
    this.socket.on('disconnect', (reason) => void this.closed.push(reason));
  }

  watch(games: unknown): this {
    this.#watched = games;
    if (this.socket.connected) this.socket.emit('watchGames', games);
    return this;
  }

  of(gameId: string): GameNews | undefined {
    return this.games.findLast((news) => news.gameId === gameId);
  }

  get wallet(): WalletNews | undefined {
    return this.wallets.at(-1);
  }

  forget(): void {
    for (const list of [this.received, this.games, this.wallets]) list.length = 0;
  }

  drop(): void {
    this.socket.io.engine?.close();
  }
}
