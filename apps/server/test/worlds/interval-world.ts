import { createDrawMachine, type DrawMachine } from '../../src/settlement/draw-machine.ts';
import { createSeedVault } from '../../src/draws/seed/seeds.ts';
import { TestApp, TestClock, type Network } from '../harness.ts';

export const GAME = 'funtargetbingo';
export const INTERVALS = [5, 7, 10, 45, 60, 90, 300, 3600, 86_400];

/** Bypasses the log; changes count as older than it. */
export const UNSEEN = 'set local session_replication_role = replica';

export interface IntervalDraw {
  readonly id: string;
  readonly opens: number;
  readonly ends: number;
  readonly status: string;
}

/** Two servers with separate clocks, one game with a changing interval. */
export class IntervalWorld {
  readonly t: TestApp;
  readonly net: Network;
  readonly gameId: string;
  readonly other: { readonly clock: TestClock; readonly machine: DrawMachine };

  private constructor(parts: Pick<IntervalWorld, 't' | 'net' | 'gameId' | 'other'>) {
    this.t = parts.t;
    this.net = parts.net;
    this.gameId = parts.gameId;
    this.other = parts.other;
  }

  static async start(): Promise<IntervalWorld> {
    const t = await TestApp.start({ poolSize: 8 });
    const clock = new TestClock();
    const services = { ...t.app.services, clock };
    const machine = createDrawMachine(services, createSeedVault('5a'.repeat(32)));
    const net = await t.network({ credit: 0, games: [GAME] });
    const [game] = await t.db.query<{ id: string }>('select id from games where game_key = $1', [GAME]);
    for (const seconds of INTERVALS)
      await t.byHand(
        "insert into times (id, seconds, written_by) values (gen_random_uuid(), $1, '3') on conflict do nothing",
        [seconds],
      );
    return new IntervalWorld({ t, net, gameId: game!.id, other: { clock, machine } });
  }

  async startAnew(): Promise<void> {
    this.t.clock.set(new Date(Math.ceil(this.t.clock.now().getTime() / 86_400_000 + 2) * 86_400_000));
    this.other.clock.set(this.t.clock.now());
    await this.setOpen(true);
    await this.changeInterval(60);
  }

  setOpen(open: boolean): Promise<unknown> {
    return this.t.byHand('update games set status = $2 where id = $1', [this.gameId, open ? 'active' : 'inactive']);
  }

  changeInterval(seconds: number): Promise<unknown> {
    return this.t.db.transaction(async (tx) => {
      await tx.query(UNSEEN);
      await tx.query('select from games where id = $1 for update', [this.gameId]);
      await tx.query('update game_times set time_id = (select id from times where seconds = $2) where game_id = $1', [
        this.gameId,
        seconds,
      ]);
    });
  }

  draws(): Promise<IntervalDraw[]> {
    return this.t.db.query<IntervalDraw>(
      `select id, extract(epoch from opens_at)::float8 as opens, extract(epoch from draws_at)::float8 as ends, status
       from draws where network_id = $1 order by opens_at`,
      [this.net.networkId],
    );
  }
}
