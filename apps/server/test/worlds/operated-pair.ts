import { activityLog } from '@drawhouse/contract/activity/activity';
import { addResult, type DrawResult } from '@drawhouse/contract/draws/draws';
import { loadGame, type Panel } from '@drawhouse/contract/live/live';
import { expect } from 'vitest';
import { aWeekLater, setResultMode } from './audit-world.ts';
import type { As, Network, Reply, SignedIn, TestApp } from '../harness.ts';

export const GAME = 'funtargetbingo';

interface LogEntry {
  readonly username: string;
  readonly subject: string;
  readonly requestUrl: string;
}

export class OperatedPair {
  readonly net: Network;
  readonly pair: { readonly gameId: string; readonly adminId: string };
  readonly #t: TestApp;

  constructor(t: TestApp, net: Network) {
    this.#t = t;
    this.net = net;
    this.pair = { gameId: GAME, adminId: net.admin._id };
  }

  /** Passwords are old enough to confirm results. */
  static async start(t: TestApp): Promise<OperatedPair> {
    const net = await t.network({ credit: 100, games: [GAME] });
    await aWeekLater(t, net.superadmin, net.admin);
    await setResultMode(t, 'two-person');
    return new OperatedPair(t, net);
  }

  panel(): Promise<Panel> {
    return this.#t.ok(loadGame, { query: this.pair }, this.net.admin);
  }

  save(
    by: SignedIn & As,
    result: string,
    more: { boosterValue?: number; confirm?: boolean; drawId?: string } = {},
  ): Promise<Reply<typeof addResult>> {
    return this.#t.call(addResult, { body: { ...this.pair, result, ...more } }, by);
  }

  async drawn(): Promise<{ result: DrawResult; log: LogEntry[] }> {
    await this.#t.finishDraw();
    const by = await this.#t.signIn(this.net.admin.username);
    const [result] = (await this.#t.ok(loadGame, { query: this.pair }, by)).lastData.data;
    const { data } = await this.#t.ok(activityLog.route, {}, by);
    return { result: result!, log: data.filter(({ subject }) => subject !== 'Signed in') };
  }
}

export async function expectResultSaved(reply: Promise<Reply<typeof addResult>>): Promise<string> {
  const { status, body } = await reply;
  expect([status, body.message]).toEqual([200, expect.stringMatching(/^Result/)]);
  return body.message;
}
