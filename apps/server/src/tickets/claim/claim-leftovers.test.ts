import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { addResult, generateResult } from '@drawhouse/contract/draws/draws';
import { excludeOneself, excludePlayer } from '@drawhouse/contract/players/protection';
import { onlinePlayers } from '@drawhouse/contract/reports/online-players';
import { claimWin } from '@drawhouse/contract/tickets/tickets';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { creditAndWinnings, setManualClaims } from '../../../test/tampering/claimed-wins.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { eachNth, perTier } from '../../../test/test-tier.ts';
import { auditAfter } from '../../../test/tampering/tampered.ts';
import { untilWaiting } from '../../../test/statements/until-waiting.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
beforeEach(async () => {
  net = await t.network({ credit: 100 });
  await t.give(net.superadmin, net.superadmin, 100);
  await t.give(net.superadmin, net.retailer, 100);
  await setManualClaims(t, net.superadmin, { gameId: GAME, manualClaims: 'yes' });
  await t.finishDraw();
});
afterEach(() => t.expectBooksToBalance());
afterAll(() => t.close());

const ALL = Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [String(digit), 1]));

const settle = () => t.ok(generateResult, { body: { gameId: GAME, adminId: net.admin._id } }, net.admin);
const exclude = (player: SignedIn = net.user) => t.ok(excludeOneself, { body: { length: '6 months' } }, player);
const excludeByManager = (player: SignedIn) =>
  t.ok(excludePlayer, { params: { playerId: player._id }, body: { length: '1 year' } }, net.retailer);

const balances = (player: SignedIn) => creditAndWinnings(t, player);
const balance = async (player: SignedIn, kind: 'credit' | 'winnings'): Promise<bigint> =>
  (await balances(player))[kind === 'credit' ? 0 : 1];

it('an exclusion claims all pending wins in its transaction, logged and counted', async () => {
  const { body } = await t.bet(net.user, ALL);
  await settle();
  await t.finishDraw();
  await t.bet(net.user, ALL);
  await t.ok(addResult, { body: { gameId: GAME, adminId: net.admin._id, result: '7', boosterValue: 2 } }, net.admin);
  await t.finishDraw();
  const won = await balance(net.user, 'winnings');
  expect(won).toBeGreaterThanOrEqual(2_700n);
  expect(await balance(net.user, 'credit')).toBe(8_000n);
  const claimPoints = async () =>
    (await t.ok(onlinePlayers.route, { query: {} }, net.retailer)).data.find((row) => row._id === net.user._id)
      ?.claimPoints;
  expect(await claimPoints()).toBe(0);

  await exclude();
  expect(await balances(net.user)).toEqual([8_000n + won, 0n]);
  const rows = await t.db.query<{ subject: string; account_id: string | null; detail: Record<string, unknown> }>(
    `select subject, account_id, detail from activity where network_id = $1 and subject like 'Claimed%' order by seq`,
    [net.networkId],
  );
  expect(rows).toHaveLength(2);
  expect(rows[0]!.subject).toMatch(
    new RegExp(
      `^Claimed the win of ticket ${body.ticket.ticketId}, .* points, for player ${net.user.username}, who is excluded$`,
    ),
  );
  expect(rows[0]!.detail).toMatchObject({ ticketId: body.ticket._id, targetId: net.user._id });
  expect(rows[0]!.account_id).toBeNull();
  const [sums] = await t.db.query<{ held: bigint; claimed: bigint }>(
    'select held, claimed from claim_sums where network_id = $1',
    [net.networkId],
  );
  expect(sums).toEqual({ held: won, claimed: won });
});

it("a settlement pays an excluded player's wins immediately and holds others'", async () => {
  const other = await t.create(net.retailer);
  await t.give(net.retailer, other, 20);
  await t.bet(net.user, ALL);
  await t.bet(other, ALL);
  await excludeByManager(net.user);
  await settle();
  expect(await balance(net.user, 'winnings')).toBe(0n);
  const won = (await balance(net.user, 'credit')) - 9_000n;
  expect(won).toBeGreaterThanOrEqual(900n);
  expect(await balances(other)).toEqual([1_000n, won]);
  const [claimed] = await t.db.query(
    'select c.claimed_at = s.settled_at as "at once" from ticket_claims c join draw_settlements s on s.network_id = ' +
      'c.network_id where c.network_id = $1',
    [net.networkId],
  );
  expect(claimed).toEqual({ 'at once': true });
  await t.finishDraw();
});

it.each([
  ['the settlement first', [() => settle(), () => excludeByManager(net.user)]],
  ['the exclusion first', [() => excludeByManager(net.user), () => settle()]],
] as const)('no win stays pending when both are concurrent: %s', async (_which, [first, second]) => {
  await t.bet(net.user, ALL);
  const both = await t.db.transaction(async (tx) => {
    await tx.query('select from wallets where owner_id = $1 for update', [net.user._id]);
    const one = first();
    await untilWaiting(t);
    const two = second();
    await untilWaiting(t, 2);
    return { done: Promise.all([one, two]) };
  });
  await both.done;
  expect(await balance(net.user, 'winnings')).toBe(0n);
  expect(await balance(net.user, 'credit')).toBeGreaterThanOrEqual(9_900n);
  await t.finishDraw();
});

it("no sequence of bets, claims, exclusions and settlements leaves an excluded player's win pending, and the books balance", async () => {
  const step = fc.record({ what: fc.constantFrom('bet', 'settle', 'claim', 'exclude'), who: fc.nat(2) });
  const length = perTier(15, 40);
  const steps = fc.sample(fc.array(step, { minLength: length, maxLength: length }), { numRuns: 1, seed: 25 })[0]!;
  const players: SignedIn[] = [];
  for (let count = 0; count < 3; count++) {
    const player = await t.create(net.retailer);
    await t.give(net.retailer, player, 20);
    players.push(player);
  }
  const excluded = new Set<SignedIn>();
  const tickets = new Map<SignedIn, string[]>();
  for (const { what, who } of steps) {
    const player = players[who]!;
    if (what === 'settle') await t.finishDraw();
    else if (what === 'exclude' && excluded.size < 2 && !excluded.has(player)) {
      excluded.add(player);
      await excludeByManager(player);
    } else if (what === 'bet' && !excluded.has(player)) {
      const { status, body } = await t.bet(player, { 1: 1, 3: 1, 5: 1, 7: 1, 9: 1 });
      if (status === 201) tickets.set(player, [...(tickets.get(player) ?? []), body.ticket._id]);
    } else if (what === 'claim' && !excluded.has(player)) {
      const ticketId = tickets.get(player)?.shift();
      if (ticketId) await t.call(claimWin, { body: { ticketId } }, player);
    }
    for (const one of excluded) expect(await balance(one, 'winnings')).toBe(0n);
  }
  expect(excluded.size).toBeGreaterThan(0);
});

it("an excluded player's win leaves with its credit when the account is deleted", async () => {
  await t.bet(net.user, ALL);
  await settle();
  await excludeByManager(net.user);
  const [left] = await balances(net.user);
  const before = await t.credit(net.retailer);
  await t.ok(accountRoutes.user.remove, { params: { id: net.user._id } }, net.retailer);
  expect(await t.credit(net.retailer)).toBe(before + Number(left) / 100);
  const [claims] = await t.db.query(
    'select claimed_at is not null as claimed from ticket_claims where network_id = $1',
    [net.networkId],
  );
  expect(claims).toEqual({ claimed: true });
  await t.finishDraw();
});

it.each(
  eachNth(2, [
    [
      "a waiting claim's mark",
      `update ticket_claims set claimed_at = claimed_at + interval '1 s'`,
      /its win waited until .* although player .* was excluded/,
    ],
    [
      'an automatic claim for a player without an exclusion',
      `delete from protection_changes`,
      /it was moved at .*, or between other wallets/,
    ],
  ]),
)('the audit detects %s', async (_what, sql, expected) => {
  await t.bet(net.user, ALL);
  await excludeByManager(net.user);
  await settle();
  await t.finishDraw();
  expect(await auditAfter(t, sql)).toContainEqual(expect.stringMatching(expected));
});
