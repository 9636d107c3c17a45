import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import type { SignedIn } from '../harness.ts';
import { runsOf } from '../test-tier.ts';
import { at, OutsideDraw } from '../worlds/outside-draw.ts';

const PLAYERS = 3;
const MINUTE_MS = 60_000;

interface Ticket {
  readonly player: number;
  readonly digit: number;
  readonly points: number;
  paid: number;
}

/** Computes what tickets are paid and players keep, result by result. */
class Books {
  readonly credit = Array.from({ length: PLAYERS }, () => 100);
  readonly tickets: Ticket[] = [];

  bet(player: number, digit: number, points: number): void {
    this.credit[player]! -= points;
    this.tickets.push({ player, digit, points, paid: 0 });
  }

  /** Pays first, then takes back what players have left. */
  result(digit: number): void {
    const due = (ticket: Ticket): number => (ticket.digit === digit ? 9 * ticket.points : 0) - ticket.paid;
    for (const ticket of this.tickets.toSorted((a, b) => Number(due(a) < 0) - Number(due(b) < 0))) {
      const moved = Math.max(due(ticket), -this.credit[ticket.player]!);
      ticket.paid += moved;
      this.credit[ticket.player]! += moved;
    }
  }
}

const player = fc.nat(PLAYERS - 1);
const digit = fc.nat(9);
const sequence = fc.record({
  bets: fc.array(fc.record({ player, digit: fc.constantFrom(3, 5, 7), points: fc.integer({ min: 1, max: 10 }) }), {
    minLength: 1,
    maxLength: 6,
  }),
  first: fc.constantFrom(3, 7),
  steps: fc.array(
    fc.oneof(
      fc.record({ do: fc.constant('correct' as const), digit: fc.oneof(fc.constantFrom(3, 5, 7), digit) }),
      fc.record({ do: fc.constant('spend' as const), player, share: fc.integer({ min: 1, max: 100 }) }),
      fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 240 }) }),
    ),
    { minLength: 2, maxLength: 6 },
  ),
  inPieces: fc.boolean(),
});

let draw: OutsideDraw | undefined;
afterEach(() => draw?.t.close());

it('pays each ticket what the last result says, except where nothing was left to take back', async () => {
  await fc.assert(
    fc.asyncProperty(sequence, async ({ bets, first, steps, inPieces }) => {
      draw = await OutsideDraw.start(inPieces ? { pieceSizes: { wholeUpTo: 0, players: 1, tickets: 1 } } : {});
      const { t } = draw;
      const books = new Books();
      const players = await playersOf(draw);
      books.bet(0, 7, 10);
      for (const bet of bets) {
        books.bet(bet.player, bet.digit, bet.points);
        await t.bet(players[bet.player]!, { [bet.digit]: bet.points });
      }
      await draw.wait(at('19:01'));
      await draw.enter(draw.net.admin, String(first));
      await draw.enter(draw.net.superadmin, String(first));
      await t.app.tick();
      books.result(first);
      let last: number = first;
      for (const step of steps) {
        if (step.do === 'wait') t.clock.advance(step.minutes * MINUTE_MS);
        else if (step.do === 'spend') {
          const points = Math.floor((books.credit[step.player]! * step.share) / 100);
          await draw.signInAgain();
          if (points > 0) await draw.spend(points, players[step.player]);
          books.credit[step.player]! -= points;
        } else if (step.digit !== last) {
          last = step.digit;
          books.result(last);
          await draw.correct(String(last));
          await t.app.tick();
        }
        t.clock.advance(5_000);
        await t.app.tick();
        expect(await credits(draw, players)).toEqual(books.credit);
      }
      const [{ won }] = (await t.db.query<{ won: bigint }>(
        `select sum(win)::bigint as won from rollups where grain = 'day' and account_id = $1`,
        [draw.net.admin._id],
      )) as [{ won: bigint }];
      expect(Number(won)).toBe(books.tickets.reduce((sum, { paid }) => sum + paid * 100, 0));
      await t.expectBooksToBalanceNow();
      await t.close();
      draw = undefined;
    }),
    { numRuns: runsOf(4) },
  );
});

async function playersOf({ t, net }: OutsideDraw): Promise<SignedIn[]> {
  const retailer = await t.signIn(net.retailer.username);
  const others = [];
  await t.give(net.superadmin, net.superadmin, 1000);
  for (let nth = 1; nth < PLAYERS; nth++) {
    const other = await t.create(retailer);
    await t.give(net.superadmin, other, 100);
    others.push(other);
  }
  return [net.user, ...others];
}

async function credits({ t }: OutsideDraw, players: readonly SignedIn[]): Promise<number[]> {
  return Promise.all(players.map(async ({ username }) => t.credit(await t.signIn(username))));
}
