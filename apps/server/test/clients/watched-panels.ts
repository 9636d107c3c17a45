import { isDeepStrictEqual } from 'node:util';
import { loadGame } from '@drawhouse/contract/live/live';
import type { RouteInput } from '@drawhouse/contract/core/route';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { listen, TestApp, type Network } from '../harness.ts';
import { LiveClient, shownOf } from './live-client.ts';

export type BetLines = RouteInput<typeof placeBet>['body']['lines'];

export class WatchedPanels {
  t!: TestApp;
  net!: Network;
  #url = '';
  readonly #open: LiveClient[] = [];

  /** Starts once, ends each draw before a test, disconnects clients afterwards. */
  constructor() {
    beforeAll(async () => {
      this.t = await TestApp.start();
      this.#url = await listen(this.t.app);
      this.net = await this.t.network({ credit: 100_000, games: BUILT_IN_GAMES.map(({ gameId }) => gameId) });
      await this.t.give(this.net.superadmin, this.net.superadmin, 10_000);
      await this.t.give(this.net.superadmin, this.net.admin, 10_000);
    });
    beforeEach(() => this.t.finishDraw(300));
    afterEach(() => {
      for (const { socket } of this.#open.splice(0)) socket.disconnect();
    });
    afterAll(async () => {
      await this.t.expectBooksToBalance();
      await this.t.close();
    });
  }

  client(gameId: string, options?: ConstructorParameters<typeof LiveClient>[2]): LiveClient {
    const { admin } = this.net;
    const made = new LiveClient(this.#url, admin.token, options).open(admin._id, gameId);
    this.#open.push(made);
    return made;
  }

  async truth(gameId: string) {
    const { admin } = this.net;
    return shownOf(await this.t.ok(loadGame, { query: { gameId, adminId: admin._id } }, admin));
  }

  async bet(gameId: string, lines: BetLines): Promise<void> {
    await this.t.ok(placeBet, { body: { gameId, requestId: crypto.randomUUID(), lines } }, this.net.user);
  }

  async converged(of: LiveClient, gameId: string): Promise<void> {
    const isSame = ([shown, truly]: readonly unknown[]): boolean => isDeepStrictEqual(shown, truly);
    await expect.poll(async () => [shownOf(of.panel), await this.truth(gameId)]).toSatisfy(isSame);
  }
}
