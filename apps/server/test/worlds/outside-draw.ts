import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { approve } from '@drawhouse/contract/approvals/approvals';
import { addResult, correctResult, playerState } from '@drawhouse/contract/draws/draws';
import { addSchedule } from '@drawhouse/contract/games/schedules';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { TestApp, type As, type Network, type Reply, type SignedIn } from '../harness.ts';
import { PASSWORD } from '../test-password.ts';
import { aWeekLater } from './audit-world.ts';
import { setManualClaims } from '../tampering/claimed-wins.ts';

export const GAME = 'funtargetbingo';
export const SOURCE = 'National 19:00';
export const at = (clock: string, day = '16'): Date => new Date(`2026-11-${day}T${clock}:00Z`);

type OutsideOptions = NonNullable<Parameters<typeof TestApp.start>[0]> & { readonly manualClaims?: boolean };

/** A draw at 19:00 that a public lottery decides, with 10 points staked, and the house's own at 21:00. */
export class OutsideDraw {
  readonly t: TestApp;
  net: Network;
  drawId = '';

  private constructor(t: TestApp, net: Network) {
    this.t = t;
    this.net = net;
  }

  static async start({ manualClaims = false, ...options }: OutsideOptions = {}): Promise<OutsideDraw> {
    const t = await TestApp.start({ timeZone: 'UTC', ...options });
    t.clock.set(at('08:00', '08'));
    const draw = new OutsideDraw(t, await t.network({ credit: 100, games: [GAME] }));
    await aWeekLater(t, draw.net.superadmin, draw.net.admin);
    t.clock.set(at('12:00'));
    await draw.signInAgain();
    if (manualClaims) await setManualClaims(t, draw.net.superadmin, { gameId: GAME, manualClaims: 'yes' });
    const [game] = await t.db.query<{ id: string }>('select id from games where game_key = $1', [GAME]);
    const plan = {
      name: 'Evening',
      times: ['19:00', '21:00'],
      weekdays: [0, 1, 2, 3, 4, 5, 6],
      daysOff: [],
      daysOn: [],
    };
    const body = { ...plan, opensAt: null, closesBefore: 10, sources: { '19:00': 'National' }, games: [game!.id] };
    await t.ok(addSchedule, { body }, draw.net.superadmin);
    await t.app.tick();
    t.clock.set(at('18:00'));
    await t.app.tick();
    await draw.signInAgain();
    draw.drawId = (await t.ok(playerState, { query: { gameId: GAME } }, draw.net.user)).draw!._id;
    await t.bet(draw.net.user, { 7: 10 });
    return draw;
  }

  async signInAgain(): Promise<void> {
    await this.signInStaff();
    this.net = { ...this.net, user: await this.t.signIn(this.net.user.username) };
  }

  async signInStaff(): Promise<void> {
    const [superadmin, admin] = await Promise.all(
      [this.net.superadmin, this.net.admin].map(({ username }) => this.t.signIn(username)),
    );
    this.net = { ...this.net, superadmin: superadmin!, admin: admin! };
  }

  pair(): { readonly gameId: string; readonly adminId: string } {
    return { gameId: GAME, adminId: this.net.admin._id };
  }

  enter(
    by: As,
    result: string,
    more: { boosterValue?: number; confirm?: boolean } = {},
  ): Promise<Reply<typeof addResult>> {
    return this.t.call(addResult, { body: { ...this.pair(), drawId: this.drawId, result, ...more } }, by);
  }

  async statusOf(): Promise<unknown> {
    const select = 'select status, void_cause, booster, result_label from draws where id = $1';
    return (await this.t.db.query(select, [this.drawId]))[0];
  }

  async due(by: As): Promise<readonly object[]> {
    return (await this.t.ok(listNotices, {}, by)).data.filter(({ code }) => code === 'OUTSIDE_RESULT_DUE');
  }

  ask(result: string, by: As = this.net.admin, more: object = {}): Promise<Reply<typeof correctResult>> {
    const body = { ...this.pair(), drawId: this.drawId, result, reason: 'Misread', ...more };
    return this.t.call(correctResult, { body }, by);
  }

  async correct(result: string): Promise<void> {
    await this.signInStaff();
    const { body } = await this.ask(result);
    if (body.approval === undefined) throw new Error(JSON.stringify(body));
    await this.t.ok(approve, { params: { approvalId: body.approval } }, this.net.superadmin);
  }

  /** The player gives credit back. */
  async spend(points: number, { _id: toUserId }: SignedIn = this.net.user): Promise<void> {
    const body = { toUserId, adjustAmount: points, transactionType: 'debit', password: PASSWORD } as const;
    await this.t.ok(accountRoutes.user.creditAdjust, { body }, this.net.superadmin);
  }

  async wait(until: Date): Promise<void> {
    this.t.clock.set(at('18:50'));
    await this.t.app.tick();
    this.t.clock.set(until);
    await this.t.app.tick();
    await this.signInAgain();
  }
}
