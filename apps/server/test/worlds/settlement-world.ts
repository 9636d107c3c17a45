import { fairDraw } from '@drawhouse/contract/draws/draws';
import { verifyDraw, type PublishedDraw } from '@drawhouse/rules/fair/fair';
import { TestApp, type Network, type SignedIn } from '../harness.ts';

const MINUTE_MS = 60_000;
const PAY = 9;
const AGAIN_MS = 6_000;
const SESSIONS_LAST = 15;

export interface LaidDraw {
  readonly id: string;
  readonly bets: readonly {
    readonly player: SignedIn;
    readonly lines: Readonly<Record<string, number>>;
    readonly before: number;
  }[];
}

export class SettlementWorld {
  readonly t: TestApp;
  readonly net: Network;
  readonly #players: SignedIn[];
  #laid = 0;

  private constructor(t: TestApp, net: Network, players: SignedIn[]) {
    this.t = t;
    this.net = net;
    this.#players = players;
  }

  static async start(): Promise<SettlementWorld> {
    const t = await TestApp.start({ pieceSizes: { wholeUpTo: 1, players: 1 } });
    const net = await t.network({ credit: 100_000, commissions: { distributor: 1.25, retailer: 0.5, user: 0.5 } });
    const other = await t.create(net.retailer, { role: 'user', commission: 0.5 });
    await t.give(net.superadmin, net.superadmin, 100_000);
    await t.give(net.superadmin, other, 100_000);
    return new SettlementWorld(t, net, [net.user, other]);
  }

  async close(): Promise<void> {
    await this.t.close();
  }

  async asAdmin(): Promise<SignedIn> {
    return this.t.signIn(this.net.admin.username);
  }

  async lay(): Promise<LaidDraw> {
    await this.t.finishDraw();
    if (this.#laid++ % SESSIONS_LAST === 0)
      for (const [at, { username }] of this.#players.entries()) this.#players[at] = await this.t.signIn(username);
    const bets = [];
    let id = '';
    for (const [at, player] of this.#players.entries()) {
      const lines = { [at]: 2, [at + 1]: 1, [(this.#laid + at) % 10]: 5 };
      const before = await this.t.credit(player);
      const { body } = await this.t.bet(player, lines);
      bets.push({ player, lines, before });
      id = body.ticket.drawId;
    }
    return { id, bets };
  }

  moveTo(until: 'close' | 'draw'): void {
    const nowMs = this.t.clock.now().getTime();
    const endMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
    this.t.clock.set(new Date(until === 'close' ? endMs - 3_000 : endMs));
  }

  async conclude({ id }: LaidDraw): Promise<void> {
    await this.t.app.tick();
    const [{ draws_at: at } = { draws_at: new Date(0) }] = await this.t.db.query<{ draws_at: Date }>(
      'select draws_at from draws where id = $1',
      [id],
    );
    if (this.t.clock.now() < at) this.t.clock.set(at);
    await this.t.app.tick();
    for (let tries = 0; tries < 12 && !(await this.#hasEnded(id)); tries++) {
      this.t.clock.advance(AGAIN_MS);
      await this.t.app.tick();
    }
  }

  async #hasEnded(id: string): Promise<boolean> {
    const rows = await this.t.db.query("select from draws where id = $1 and status in ('settled', 'void')", [id]);
    return rows.length > 0;
  }

  async stepOf({ id }: LaidDraw): Promise<string> {
    const [row] = await this.t.db.query<{ status: string; paid: bigint }>(
      'select status, (select count(*) from settlement_pieces where draw_id = $1) as paid from draws where id = $1',
      [id],
    );
    const { status, paid } = row!;
    return status === 'settling' ? `settling, ${paid} paid` : status;
  }

  /** A draw must settle once from its committed seed, or be void once. */
  async faultsOf({ id, bets }: LaidDraw): Promise<string[]> {
    const draw = await this.t.ok(fairDraw, { params: { drawId: id } });
    const { status, result, booster } = draw;
    const check = verifyDraw(draw as unknown as PublishedDraw);
    const faults = check.ok ? [] : [...check.problems];
    if (status !== 'settled' && status !== 'void') faults.push(`It is ${status}.`);
    for (const { player, lines, before } of bets) {
      const stake = Object.values(lines).reduce((sum, units) => sum + units, 0);
      const drawn = status === 'settled' ? (lines[(result as { drawno: string }).drawno] ?? 0) : 0;
      const expected = status === 'settled' ? before - stake + drawn * PAY * booster! : before;
      const credit = await this.t.credit(player);
      if (credit !== expected) faults.push(`${player.username} has ${credit}, not ${expected}.`);
    }
    return faults;
  }
}

/** A dead server can no longer write. */
export async function endDead(server: TestApp): Promise<void> {
  await server.app.close().catch(() => {});
  await server.served.close();
}
