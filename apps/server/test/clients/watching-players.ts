import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { listen, TestApp, type Network, type SignedIn } from '../harness.ts';
import { PlayerClient } from './player-client.ts';

export const GAME = 'funtargetbingo';
export const OTHER_GAME = 'luckycard12';

export class WatchingPlayers {
  readonly t: TestApp;
  readonly other: TestApp;
  readonly urls: readonly [string, string];
  readonly net: Network;
  readonly open: PlayerClient[] = [];

  private constructor(parts: Pick<WatchingPlayers, 't' | 'other' | 'urls' | 'net'>) {
    this.t = parts.t;
    this.other = parts.other;
    this.urls = parts.urls;
    this.net = parts.net;
  }

  static async start(t: TestApp): Promise<WatchingPlayers> {
    const other = await t.beside();
    const urls = [await listen(t.app), await listen(other.app)] as const;
    return new WatchingPlayers({ t, other, urls, net: await t.network({ credit: 0, games: [GAME, OTHER_GAME] }) });
  }

  async close(): Promise<void> {
    await this.t.expectBooksToBalance();
    await this.other.close();
    await this.t.close();
  }

  disconnect(): void {
    for (const { socket } of this.open.splice(0)) socket.disconnect();
  }

  async watch(player: SignedIn, games: readonly string[] = [GAME], url = this.urls[0]): Promise<PlayerClient> {
    const client = new PlayerClient(url, player, { reconnectMs: 20 }).watch(games);
    this.open.push(client);
    const isOfNow = (gameId: string) => Date.parse(client.of(gameId)?.nextOpensAt ?? '') > this.t.clock.now().getTime();
    await expect.poll(() => client.wallet && games.every(isOfNow)).toBeTruthy();
    client.forget();
    return client;
  }

  async fund(whom: SignedIn, points: number): Promise<void> {
    await this.t.give(this.net.superadmin, this.net.superadmin, points);
    await this.t.give(this.net.superadmin, whom, points);
  }

  async anotherPlayer(points: number): Promise<SignedIn> {
    const made = await this.t.create(this.net.retailer);
    if (points > 0) await this.fund(made, points);
    return made;
  }
}

interface Watched {
  readonly t: TestApp;
  readonly players: WatchingPlayers;
  readonly net: Network;
}

/** Two servers for the file, and a new draw and player for each test. */
export function serveWatchingPlayers(use: (watched: Watched) => void): void {
  let players: WatchingPlayers;
  beforeAll(async () => {
    players = await WatchingPlayers.start(await TestApp.start());
  });
  beforeEach(async () => {
    const { t } = players;
    await t.finishDraw();
    use({ t, players, net: { ...players.net, user: await players.anotherPlayer(500) } });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    players.disconnect();
  });
  afterAll(() => players.close());
}

/** No periodic read is due. */
export function readNothingByItself(): void {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
}

export async function balances(client: PlayerClient, count: number): Promise<(number | undefined)[]> {
  await expect.poll(() => client.wallets.length >= count).toBeTruthy();
  return client.wallets.map(({ walletBalance }) => walletBalance);
}
