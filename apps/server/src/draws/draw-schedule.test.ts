import { addResult, fairDraw, generateResult } from '@drawhouse/contract/draws/draws';
import { verifyDraw, type PublishedDraw } from '@drawhouse/rules/fair/fair';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { TestApp, type Network } from '../../test/harness.ts';
import { eachNth } from '../../test/test-tier.ts';
import { auditAfter } from '../../test/tampering/tampered.ts';
import type { Actor } from '../accounts/authority.ts';
import type { Database } from '../platform/db/database.ts';
import { readTimer } from './schedule/next-draws.ts';
import { createSeedVault, type SealedFor } from './seed/seeds.ts';

const MINUTE_MS = 60_000;
const GAMES = ['funtargetbingo', 'fruit12', 'horse12'];

let t: TestApp;
let net: Network;

beforeEach(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 1_000, games: GAMES });
});
afterEach(() => t.close());

const states = (): Promise<{ game: string; status: string; opens: string; source: string | null }[]> =>
  t.db.query(
    `select g.game_key as game, d.status, to_char(d.opens_at, 'HH24:MI') as opens, d.source
     from draws d join games g on g.id = d.game_id order by opens_at, game_key`,
  );
const idOf = async (game: string): Promise<string> => {
  const [draw] = await t.db.query<{ id: string }>(
    'select d.id from draws d join games g on g.id = d.game_id where game_key = $1 order by opens_at desc limit 1',
    [game],
  );
  return draw!.id;
};

describe('after a downtime of all servers', () => {
  it('opened draws settle by saved result or seed; others never exist', async () => {
    const pair = { gameId: 'fruit12', adminId: net.admin._id };
    await t.bet(net.user, { 5: 1 });
    await t.bet(net.user, { 5: 1 }, { gameId: 'fruit12' });
    await t.ok(addResult, { body: { ...pair, result: '5', boosterValue: 2 } }, net.admin);
    t.clock.advance(3 * 60 * MINUTE_MS);
    await t.app.tick();
    const settled = { status: 'settled', opens: '10:00' };
    const open = { status: 'open', opens: '13:00', source: null };
    expect(await states()).toEqual([
      { game: 'fruit12', ...settled, source: 'declared' },
      { game: 'funtargetbingo', ...settled, source: 'generated' },
      { game: 'horse12', ...settled, source: 'generated' },
      { game: 'fruit12', ...open },
      { game: 'funtargetbingo', ...open },
      { game: 'horse12', ...open },
    ]);
    await t.expectBooksToBalance();
  });
});

describe('the timer', () => {
  it.each([0, 1, 2])('counts no draw further than the one opening before its statement %i', async (place) => {
    const { services } = t.app;
    const [player] = await t.db.query<Actor>(
      'select id, username, role, network_id as "networkId", chain from accounts where id = $1',
      [net.user._id],
    );
    t.clock.advance(MINUTE_MS);
    let statements = 0;
    const db: Database = {
      ...services.db,
      query: async (text, values, name) => {
        if (statements++ === place) await t.app.tick();
        return services.db.query(text, values, name);
      },
    };
    const { time } = await readTimer({ ...services, db }, player!, { gameId: GAMES[0]!, adminId: net.admin._id });
    expect(time).toBeLessThanOrEqual(60);
  });
});

describe('a draw with an unreadable seed', () => {
  it.each(
    eachNth(3, [
      ['with tickets', true, "sealed_seed = decode(repeat('00', 60), 'hex')"],
      ['without tickets', false, "sealed_seed = decode(repeat('00', 60), 'hex')"],
      ['and is not the one committed to', true, 'sealed_seed = $2'],
    ]),
  )('%s is void at its draw time, states why, and delays nothing', async (_which, withTickets, damage) => {
    const credit = await t.credit(net.user);
    if (withTickets) await t.bet(net.user, { 5: 3 });
    const drawId = await idOf('funtargetbingo');
    const [draw] = await t.db.query<SealedFor>('select id, closes_at from draws where id = $1', [drawId]);
    const other = createSeedVault('5a'.repeat(32)).seal(Buffer.alloc(32, 7), draw!);
    await t.db.query(`update draws set ${damage} where id = $1`, [drawId, ...(damage.includes('$2') ? [other] : [])]);
    const generate = { body: { gameId: 'funtargetbingo', adminId: net.admin._id } };
    expect(await t.call(generateResult, generate, net.admin)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('seed') as string },
    });
    await t.finishDraw();
    expect((await states()).map(({ game, status }) => [game, status])).toEqual([
      ['fruit12', 'settled'],
      ['funtargetbingo', 'void'],
      ['horse12', 'settled'],
      ...GAMES.toSorted().map((game) => [game, 'open']),
    ]);
    expect(await t.credit(net.user)).toBe(credit);
    const published = await t.ok(fairDraw, { params: { drawId } });
    expect(published).toMatchObject({ status: 'void', seed: null, result: null, voidCause: 'seed' });
    expect(verifyDraw(published as unknown as PublishedDraw)).toMatchObject({ ok: false });
    const log = await t.db.query(
      "select username, subject from activity where network_id = $1 and detail ->> 'drawId' = $2",
      [net.networkId, drawId],
    );
    expect(log).toEqual([
      { username: 'system', subject: expect.stringMatching(/^Voided .*: its seed could not be unsealed/) as string },
    ]);
    await t.app.tick();
    await t.expectBooksToBalance();
    if (withTickets)
      for (const [sql, expected] of eachNth(6, CHANGED_VOIDS))
        expect(await auditAfter(t, sql)).toContainEqual(expect.stringMatching(expected));
  });
});

/** A database owner could change draws with unreadable seeds like this. Each change has the audit's finding. */
const VOIDED = "status = 'void' and seed is null";
const CHANGED_VOIDS: readonly [sql: string, expected: RegExp][] = [
  [
    `update draws set seed = sha256('x'), sealed_seed = null where ${VOIDED}`,
    /draw .*: The seed does not match the commitment/,
  ],
  [
    `update draws set status = 'settled', seed = sha256('x'), sealed_seed = null, result = '{"drawno":"5"}', result_label = '5',
     booster = 1, source = 'generated'
     where ${VOIDED}`,
    /draw .* is settled, but the log says that it was voided/,
  ],
  [
    `update draws set status = 'closed', finished_at = null where ${VOIDED}`,
    /draw .* is closed, but the log says that it was voided/,
  ],
  [
    `update activity set account_id = (select id from accounts where role = 'admin' limit 1) where subject like 'Voided %'`,
    /draw .* is void and its seed is missing; no log says that it could not be read/,
  ],
  [
    `update activity set detail = detail - 'reason' where subject like 'Voided %'`,
    /draw .* is void, but the log says that it was never voided/,
  ],
  [
    `delete from transfers where kind = ${TRANSFER_KINDS.refund}`,
    /ticket .* has a stake of 300 hundredths and its draw is void; 0 were refunded in 0 transfers/,
  ],
  [
    `update draws set ticket_root = sha256('x') where ${VOIDED}`,
    /draw .* was closed with 1 tickets, but now has 1, or different ones/,
  ],
  [`delete from draws where ${VOIDED}`, /draw .* is gone; .* are about it/],
];
