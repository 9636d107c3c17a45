import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { listLimits, setLimits, type LimitName } from '@drawhouse/contract/games/limits';
import type fc from 'fast-check';
import type { SignedIn, TestApp } from '../harness.ts';
import { POOR, RETAILER_OF, type Command, type Target } from './interleaving-commands.ts';
import {
  readBalances,
  readCarried,
  readDrawsSince,
  type Earner,
  type Event,
  type Played,
} from './interleaving-record.ts';
import { Turnstile } from '../statements/turnstile.ts';

const GAME = 'funtargetbingo';
const INTERVAL_MS = 60_000;
const SESSIONS_LAST = 20;
const POOR_POINTS = 40;
/** Hundredths of a percent. */
const COMMISSIONS = { superdistributor: 100, distributor: 125, retailer: 250, user: 50 } as const;
const LIMIT_NAMES: readonly LimitName[] = ['perNumber', 'perTicket', 'perPlayer'];

/** One network on two servers sharing a turnstile. Commands use contract calls. */
export class InterleavingWorld {
  readonly #t: TestApp;
  readonly #turnstile: Turnstile;
  readonly #servers: readonly TestApp[];
  readonly #networkId: number;
  readonly #admin: SignedIn;
  readonly #pairId: string;
  readonly #retailers: readonly SignedIn[];
  #players: SignedIn[];
  #superadmin: SignedIn;
  #asAdmin: SignedIn;
  readonly #earners: readonly (readonly Earner[])[];
  #limits: Partial<Record<LimitName, number | null>> = { perNumber: null, perTicket: null, perPlayer: null };
  #played = 0;

  private constructor(
    t: TestApp,
    parts: {
      turnstile: Turnstile;
      servers: readonly TestApp[];
      networkId: number;
      superadmin: SignedIn;
      admin: SignedIn;
      pairId: string;
      retailers: readonly SignedIn[];
      players: SignedIn[];
      earners: readonly (readonly Earner[])[];
    },
  ) {
    this.#t = t;
    this.#turnstile = parts.turnstile;
    this.#servers = parts.servers;
    this.#networkId = parts.networkId;
    this.#admin = this.#asAdmin = parts.admin;
    this.#superadmin = parts.superadmin;
    this.#pairId = parts.pairId;
    this.#retailers = parts.retailers;
    this.#players = parts.players;
    this.#earners = parts.earners;
  }

  static async start(t: TestApp): Promise<InterleavingWorld> {
    const turnstile = new Turnstile(t.db);
    // A connection per possible transaction: pool waits hide lock waits.
    const startServer = () => t.beside({ poolSize: 20, through: (served) => turnstile.through(served) });
    const net = await t.network({
      credit: 2_000_000,
      games: [GAME],
      commissions: { superdistributor: 1, distributor: 1.25, retailer: 2.5, user: 0.5 },
    });
    const second = await t.create(net.admin, { role: 'retailer', refId: net.distributor._id, commission: 2.5 });
    const other = await t.create(net.retailer, { role: 'user', commission: 0.5 });
    await t.give(net.superadmin, net.superadmin, 5_000_000);
    await t.give(net.superadmin, other, 1_000_000);
    const poor = await t.create(second, { role: 'user', commission: 0.5 });
    const retailers = [net.retailer, second];
    const players = [net.user, other, poor];
    const { data } = await t.ok(listLimits, { params: { adminId: net.admin._id } }, net.admin);
    return new InterleavingWorld(t, {
      turnstile,
      servers: [await startServer(), await startServer()],
      networkId: net.networkId,
      superadmin: net.superadmin,
      admin: net.admin,
      pairId: data[0]!.id,
      retailers,
      players,
      earners: players.map((player, at) => [
        { id: net.superdistributor._id, commission: COMMISSIONS.superdistributor },
        { id: net.distributor._id, commission: COMMISSIONS.distributor },
        { id: retailers[RETAILER_OF[at]!]!._id, commission: COMMISSIONS.retailer },
        { id: player._id, commission: COMMISSIONS.user },
      ]),
    });
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await server.close();
  }

  /** Plays commands concurrently, in scheduler order, on a new draw; then concludes all draws. */
  async play(
    limits: Readonly<Record<LimitName, number | null>>,
    commands: readonly Command[],
    scheduler: fc.Scheduler,
  ): Promise<Played> {
    await this.#begin(limits);
    const [draw] = await this.#t.db.query<{ id: string }>(
      'select id from draws where network_id = $1 order by opens_at desc limit 1',
      [this.#networkId],
    );
    const before = await readBalances(this.#t.db, this.#networkId);
    const carried = await readCarried(this.#t.db, this.#networkId);
    const poorPoints = Number((before.get(`credit ${this.#players[POOR]!._id}`) ?? 0n) / 100n);
    this.#turnstile.deadlocks.length = 0;
    const events = await this.#turnstile.drive(scheduler, async () => {
      const played = commands.flatMap((command) => this.#eventsOf(command, draw!.id, poorPoints));
      return (await Promise.allSettled(played)).map((event) => {
        if (event.status === 'rejected') throw event.reason as Error;
        return event.value;
      });
    });
    await this.#t.finishDraw();
    const after = await readBalances(this.#t.db, this.#networkId);
    // The last of several changes is unknown, so set each again.
    for (const { command } of events) if (command.do === 'limit') delete this.#limits[command.name];
    return {
      limits,
      events,
      draws: await readDrawsSince(this.#t.db, this.#networkId, draw!.id),
      before,
      carried,
      after,
      adminId: this.#admin._id,
      players: this.#players.map(({ _id }) => _id),
      earners: this.#earners,
      deadlocks: [...this.#turnstile.deadlocks],
    };
  }

  async #begin(limits: Readonly<Record<LimitName, number | null>>): Promise<void> {
    const t = this.#t;
    const isStale = this.#played++ % SESSIONS_LAST === 0;
    if (isStale) {
      this.#superadmin = await t.signIn(this.#superadmin.username);
      this.#asAdmin = await t.signIn(this.#admin.username);
    }
    for (const { id, role } of await t.db.query<{ id: string; role: Target['role'] }>(
      'select id, role from accounts where not active',
    )) {
      const params = { userId: id, action: 'activate' } as const;
      await t.ok(accountRoutes[role].toggleStatus, { params }, this.#superadmin);
    }
    const live = await t.db.query<{ id: string }>('select distinct account_id as id from sessions');
    for (const [at, player] of this.#players.entries())
      if (isStale || !live.some(({ id }) => id === player._id)) this.#players[at] = await t.signIn(player.username);
    const changed = LIMIT_NAMES.filter((name) => this.#limits[name] !== limits[name]);
    if (changed.length > 0) {
      const { status } = await this.#setLimits(t, limits);
      if (status !== 200) throw new Error(`The limits ${JSON.stringify(limits)} are refused.`);
    }
    this.#limits = { ...limits };
    const poor = this.#players[POOR]!;
    if ((await t.credit(poor)) < POOR_POINTS) await t.give(this.#superadmin, poor, POOR_POINTS);
  }

  #setLimits(t: TestApp, limits: Partial<Record<LimitName, number | null>>) {
    const body = { updates: [{ id: this.#pairId, ...limits }] };
    return t.call(setLimits, { params: { adminId: this.#admin._id }, body }, this.#asAdmin);
  }

  #eventsOf(command: Command, drawId: string, poorPoints: number): Promise<Event>[] {
    if (command.do !== 'bet') return [this.#event(command, command.server, { drawId, request: '', lines: [] })];
    const isPoor = command.player === POOR;
    const share = Math.max(1, Math.floor((poorPoints * command.share) / 100));
    const lines = isPoor ? [[command.lines[0]![0], share] as const] : command.lines;
    const bet = { drawId, request: randomUUID(), lines };
    const servers = command.twice ? [command.server, 1 - command.server] : [command.server];
    return servers.map((server) => this.#event(command, server, bet));
  }

  async #event(
    command: Command,
    server: number,
    bet: { drawId: string; request: string; lines: Event['lines'] },
  ): Promise<Event> {
    await this.#turnstile.pass(`${command.do} begins on ${server}`);
    const began = this.#turnstile.step;
    const at = this.#t.clock.now();
    const { status, body } = await this.#give(command, this.#servers[server]!, bet);
    return {
      command,
      began,
      ended: this.#turnstile.step,
      status,
      code: body.code,
      ticket: body.ticket && {
        id: body.ticket._id,
        drawId: body.ticket.drawId,
        stake: BigInt(body.ticket.playpoints) * 100n,
      },
      stake: bet.lines.reduce((sum, [, qty]) => sum + BigInt(qty) * 100n, 0n),
      lines: bet.lines,
      request: bet.request,
      drawId: body.drawId,
      at,
    };
  }

  async #give(
    command: Command,
    on: TestApp,
    bet: { drawId: string; request: string; lines: Event['lines'] },
  ): Promise<{
    status: number;
    body: { code?: string; drawId?: string; ticket?: { _id: string; drawId: string; playpoints: number } };
  }> {
    const pair = { gameId: GAME, adminId: this.#admin._id };
    switch (command.do) {
      case 'bet': {
        const options = { requestId: bet.request, ...(command.named && { drawId: bet.drawId }) };
        return on.bet(this.#players[command.player]!, Object.fromEntries(bet.lines), options);
      }
      case 'tick':
        this.#advance(command.until);
        await on.app.tick();
        return { status: 200, body: {} };
      case 'declare': {
        const body = { ...pair, result: String(command.digit), boosterValue: command.booster };
        return on.call(addResult, { body }, this.#superadmin);
      }
      case 'generate':
        return on.call(generateResult, { body: pair }, this.#asAdmin);
      case 'void':
        return on.call(voidDraw, { body: { ...pair, reason: 'interleaving' } }, this.#superadmin);
      case 'toggle': {
        const { role, at } = command.target;
        const { _id } = this.#accountOf({ role, at });
        const params = { userId: _id, action: command.active ? 'activate' : 'deactivate' } as const;
        return on.call(accountRoutes[role].toggleStatus, { params }, this.#superadmin);
      }
      case 'limit':
        return this.#setLimits(on, { [command.name]: command.points });
    }
  }

  #accountOf({ role, at }: Target): SignedIn {
    return (role === 'user' ? this.#players : this.#retailers)[at]!;
  }

  #advance(until: 'now' | 'close' | 'draw'): void {
    if (until === 'now') return;
    const nowMs = this.#t.clock.now().getTime();
    const endMs = (Math.floor(nowMs / INTERVAL_MS) + 1) * INTERVAL_MS;
    const wantedMs = until === 'close' ? endMs - 5_000 : endMs;
    if (wantedMs > nowMs) this.#t.clock.set(new Date(wantedMs));
  }
}
