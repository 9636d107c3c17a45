import { nodeHashes } from '@drawhouse/tlog/on-node-hashes';
import { prunedRecord, STATES_SIGNED } from '@drawhouse/rules/sealers-records';
import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import { randomUUID } from 'node:crypto';
import { addResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-balance';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { claimWin, placeBet, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { SEALED_TABLES } from '@drawhouse/rules/sealed-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mirrorRecords } from '../../../tools/witness/mirror-records.ts';
import type { MirrorRecords } from '../../../tools/witness/mirror-records.ts';
import type { SignedCheckpoint } from '../../../tools/witness/witnessed-log.ts';
import { TestApp } from './harness.ts';
import type { Network, SignedIn } from './harness.ts';
import { entriesFrom, makeSealsPlace, withNewestLog } from './sealed-app.ts';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;
let place: Awaited<ReturnType<typeof makeSealsPlace>>;

beforeAll(async () => {
  t = await TestApp.start({ pieceSizes: { wholeUpTo: 2, players: 2, tickets: 1_000 } });
  net = await t.network({ credit: 500, commissions: { superdistributor: 1, distributor: 2, retailer: 3, user: 4.5 } });
  place = await makeSealsPlace();
  await t.give(net.superadmin, net.superadmin, 100_000);
  await t.give(net.superadmin, net.admin, 50_000);
  await t.ok(addBalance, { body: { ...pair(), balance: 10_000 } }, net.admin);
});
afterAll(async () => {
  await t.close();
  await place.remove();
});

const pair = () => ({ gameId: GAME, adminId: net.admin._id });
const declare = () => t.ok(addResult, { body: { ...pair(), result: '7', boosterValue: 2 } }, net.admin);

/** A mirror, and how far it has come. */
type Following = { readonly mirror: MirrorRecords; size: number };
const begun = (): Following => ({ mirror: mirrorRecords(), size: 0 });

/** Seals what is new, gives it to the mirror in two parts as it may fetch them, and compares what it says with the database. */
async function expectAlike(one: Following): Promise<string> {
  const { problems, summary } = await withNewestLog(t, place, async ({ log, look }) => {
    await look();
    const entries = (await entriesFrom(log, one.size)).map((entry) => Buffer.from(entry));
    one.mirror.read(1, entries.slice(0, 7));
    one.mirror.read(1, entries.slice(7));
    one.size = log.state.size;
    return one.mirror.judge({ nth: 1 } as SignedCheckpoint);
  });
  expect(problems).toEqual([]);
  for (const network of [0, net.networkId]) {
    const rows = await t.db.query<{ id: number; balance: bigint }>(
      'select id, balance from wallets where network_id = $1',
      [network],
    );
    const known = new Map(rows.map(({ id, balance }) => [String(id), balance]));
    expect(one.mirror.balances(1, String(network))).toEqual(known);
  }
  return summary;
}

describe('what a mirror recomputes', () => {
  it('is what the server has: bets, declared and generated results, wins and commissions', async () => {
    const one = begun();
    await expectAlike(one);
    await t.bet(net.user, { 7: 30, 3: 20 });
    await expectAlike(one);
    await t.bet(net.user, { 7: 1 });
    await declare();
    await t.finishDraw();
    await t.bet(net.user, { 1: 10 });
    await expectAlike(one);
    await t.finishDraw();
    await t.give(net.admin, net.superdistributor, 50);
    const summary = await expectAlike(one);
    expect(summary).toMatch(
      /^Recomputed: \d+ wallets with \d+ balances, [1-9]\d* results, [1-9]\d* lists of tickets, 2 settlements\./,
    );
    // And at once, as after a start.
    await expectAlike(begun());
  });

  it('is what the server has where draws are void, paid in pieces, and their wins wait for a claim', async () => {
    const one = begun();
    await expectAlike(one);
    const { data } = await t.ok(gameList.route, { query: {} }, net.superadmin);
    const params = { id: data.find((game) => game.gameId === GAME)!._id };
    await t.ok(changeGame, { params, body: { manualClaims: 'yes' } }, net.superadmin);
    await t.finishDraw();

    const { body } = await t.bet(net.user, { 5: 7 });
    await expectAlike(one);
    const voided = { ...pair(), drawId: body.ticket.drawId, reason: 'A test of a void draw.' };
    await t.ok(voidDraw, { body: voided }, net.admin);
    await expectAlike(one);
    await t.finishDraw();

    const players: SignedIn[] = [net.user];
    while (players.length < 5)
      players.push(await t.create(net.admin, { role: 'user', refId: net.retailer._id, commission: players.length }));
    for (const player of players) {
      await t.give(net.superadmin, player, 100);
      const lines = [
        { drawno: '7', qty: 3 },
        { drawno: '2', qty: 1 },
      ];
      await t.ok(placeBet, { body: { gameId: GAME, requestId: randomUUID(), lines } }, player);
    }
    await declare();
    await holdAfterOnePiece();
    await expect(t.finishDraw()).rejects.toThrow('held');
    await expectAlike(one);
    await t.db.query('drop trigger hold on settlement_pieces');
    await t.app.tick();
    await expectAlike(one);
    const { data: tickets } = await t.ok(playerTickets, { query: { claims: 'waiting' } }, net.user);
    await t.ok(claimWin, { body: { ticketId: tickets[0]!._id } }, net.user);
    await expectAlike(one);
    await expectAlike(begun());
  });

  it('takes a percentage of before and of after it was changed', async () => {
    const one = begun();
    await expectAlike(one);
    await t.bet(net.user, { 1: 10 });
    await t.ok(accountRoutes.user.update, { params: { id: net.user._id }, body: { commission: 2 } }, net.admin);
    await t.finishDraw();
    await expectAlike(one);
  });
});

describe('a mirror to which some records never came', () => {
  const entriesNow = (): Promise<string[]> =>
    withNewestLog(t, place, async ({ log, look }) => {
      await look();
      return entriesFrom(log, 0);
    });
  const judged = (mirror: MirrorRecords) => mirror.judge({ nth: 1 } as SignedCheckpoint);

  it('says what it does not judge, and no more', async () => {
    const entries = (await entriesNow()).map((entry) => Buffer.from(entry));
    const mirror = mirrorRecords();
    mirror.read(1, undefined);
    mirror.read(1, entries.slice(256));
    const { problems, news, summary } = judged(mirror);
    expect(problems).toEqual([]);
    expect(news).toEqual([expect.stringMatching(/^The records 0 to 255 were cleared before they were fetched: of no/)]);
    expect(summary).toContain('1 stretches of 256 records that were cleared');
    expect(mirror.balances(1, String(net.networkId))).toBeUndefined();
  });

  it('judges a network that was sealed whole again by what it is now, and its wallets no more', async () => {
    const entries = (await entriesNow()).map((entry) => Buffer.from(entry));
    const mirror = mirrorRecords();
    mirror.read(1, entries);
    const again = entries.filter((entry) => entry.includes(`\n${net.networkId}\t`));
    mirror.read(1, again);
    const { problems, news, summary } = judged(mirror);
    expect(problems).toEqual([]);
    expect(summary).toContain('1 networks whose wallets are not');
    const first = again.findIndex((entry) => entry.toString().startsWith('networks '));
    const from = entries.length + first;
    const anew = `Network ${net.networkId} of the admin ${net.admin._id} is sealed anew from record ${from} on`;
    expect(news).toEqual([
      expect.stringMatching(new RegExp(`^${anew}.* No record of a restore or a move came with it`)),
    ]);
    expect(judged(mirror).news, 'it is said once').toEqual([]);
    const restore = Buffer.from(`restores 1\n${net.networkId}\t${randomUUID()}${'\t0'.repeat(8)}\n`);
    mirror.read(1, [again[first]!, restore]);
    expect(judged(mirror).news).toEqual([expect.stringMatching(/ A record of restores came with it\.$/)]);
    mirror.read(1, [again[first]!, restore]);
    expect(judged(mirror).news, 'of that restore there was a record').toEqual([expect.stringMatching(/ask why\.$/)]);
  });

  it('finds that the server does not give records as if they were cleared, of which no record says so', () => {
    const told = (entries: readonly string[], leaves: readonly Uint8Array[] = []): readonly string[] => {
      const mirror = mirrorRecords();
      mirror.read(1, undefined, leaves);
      mirror.read(1, undefined);
      expect(judged(mirror).problems, 'the record may come with the next checkpoint').toEqual([]);
      mirror.read(
        1,
        entries.map((entry) => Buffer.from(entry)),
      );
      const { problems, summary } = judged(mirror);
      expect(summary).not.toContain('records of another form');
      return problems;
    };
    const pruned = (nth: number, index: number): string => prunedRecord({ nth, index, root: '', why: 'cleared' });
    expect(told([])).toEqual([]);
    expect(told([], [nodeHashes.leaf(Buffer.from(STATES_SIGNED))])).toHaveLength(2);
    expect(told([STATES_SIGNED, pruned(1, 0), pruned(1, 1)])).toEqual([]);
    expect(told([STATES_SIGNED, pruned(1, 0), pruned(2, 1)])).toEqual([
      'The server does not give the records 256 to 511, and no record says that they were cleared away.',
    ]);
  });

  it('says of a record that it can’t read that there is one', () => {
    const mirror = mirrorRecords();
    for (const text of [
      'tickets 1\n1\n',
      'tickets 2\n1\t2\n',
      'tickets 1 hashed\n1\tab\n',
      '',
      'no line',
      'origins 1\n2\tx\n',
    ])
      mirror.read(1, [Buffer.from(text)]);
    expect(judged(mirror)).toMatchObject({
      problems: [],
      summary: expect.stringContaining('5 records of another form'),
    });
  });
});

/** The second piece of a draw can't be paid, until this trigger is gone. */
async function holdAfterOnePiece(): Promise<void> {
  await t.db.query(
    `create function hold_piece() returns trigger language plpgsql security definer as $$
     begin
       if exists (select from settlement_pieces where draw_id = new.draw_id) then raise exception 'held'; end if;
       return new;
     end $$;
     create trigger hold before insert on settlement_pieces for each row execute function hold_piece()`,
  );
}

describe('records that contradict each other', () => {
  /** What is told where one column of the last record of a table that fits has another value. */
  async function toldOf(
    table: string,
    column: string,
    value: (before: string) => string,
    fits: (row: string) => boolean = () => true,
  ) {
    const entries = await withNewestLog(t, place, async ({ log, look }) => {
      await look();
      return entriesFrom(log, 0);
    });
    const { key, columns } = SEALED_TABLES[table]!;
    const at = [...key, ...columns].indexOf(column);
    const index = entries.findLastIndex((entry) => entry.startsWith(`${table} 1\n`) && fits(entry));
    const fields = entries[index]!.split('\n')[1]!.split('\t');
    fields[at] = value(fields[at]!);
    const changed = entries.with(index, `${table} 1\n${fields.join('\t')}\n`);
    const mirror = mirrorRecords();
    mirror.read(
      1,
      changed.map((entry) => Buffer.from(entry)),
    );
    return mirror.judge({ nth: 1 } as SignedCheckpoint).problems.join('\n');
  }
  const more = (before: string): string => String(BigInt(before) + 1n);

  it.each<[string, string, (before: string) => string, string]>([
    ['ticket_wins', 'win', more, 'it was given'],
    ['player_settlements', 'win', more, 'the settlement says'],
    ['player_settlements', 'stake', more, 'the settlement says'],
    ['tickets', 'lines', (before) => before.replace(/\*\d+/, '*99'), 'is not that of its lines'],
    [
      'tickets',
      'digest',
      (before) => before.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      'is not that of its lines',
    ],
    ['transfers', 'from_balance', more, 'the records give'],
    ['transfers', 'to_balance', more, 'the records give'],
    ['transfers', 'from_version', (before) => String(BigInt(before) + 1_000n), 'at most'],
  ])('are found: %s with another %s', async (table, column, value, says) => {
    expect(await toldOf(table, column, value)).toContain(says);
  });

  it('are found: the wallet of a player with another number', async () => {
    const isPlayers = (row: string): boolean => row.endsWith(`\t${net.user._id}\t${WALLET_KINDS.credit}\n`);
    expect(await toldOf('wallets', 'id', more, isPlayers)).toContain('there is no record');
  });

  it('are found: a result, a booster, a seed and a list of tickets of a draw that are others', async () => {
    const isGenerated = (row: string): boolean => row.includes('\tgenerated\t') && row.includes('\tsettled\t');
    const next = (before: string): string =>
      before.replace(/"drawno":\s*"(\d)"/, (_, no) => `"drawno":"${(Number(no) + 1) % 10}"`);
    expect(await toldOf('draws', 'result', next, isGenerated)).toContain('is not the one that the seed gives');
    expect(await toldOf('draws', 'booster', more, isGenerated)).toContain('booster is not the one');
    const other = (before: string): string => `${before.slice(0, -2)}${before.endsWith('00') ? '01' : '00'}`;
    expect(await toldOf('draws', 'seed', other, isGenerated)).toContain('not the one that was committed to');
    const hasTickets = (row: string): boolean =>
      row.includes('\tsettled\t') && row.includes('\\\\x') && /\t1\t\\\\x/.test(row);
    expect(await toldOf('draws', 'ticket_root', other, hasTickets)).toMatch(
      /its root is not that of its tickets|its ticket_root was/,
    );
    expect(await toldOf('draws', 'ticket_count', more, hasTickets)).toMatch(/the records have|its ticket_count was/);
  });
});
