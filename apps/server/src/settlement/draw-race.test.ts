import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DRAW_NUMBER } from '../draws/draws.sql.ts';
import { TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { lockBetDraw } from '../tickets/place/bet-draw.ts';
import { TestApp, type Network, type Reply } from '../../test/harness.ts';
import { perTier } from '../../test/test-tier.ts';

const GAME = 'funtargetbingo';
const ROUNDS = perTier(2, 12);

let t: TestApp;
let net: Network;
let pair: { gameId: string; adminId: string };

beforeAll(async () => {
  t = await TestApp.start({ poolSize: 8 });
  net = await t.network({ credit: 100_000, games: [GAME] });
  pair = { gameId: GAME, adminId: net.admin._id };
});
afterAll(() => t.close());

const ACTS = {
  save: (drawId: string, _round: number) =>
    outcomeOf(t.call(addResult, { body: { ...pair, drawId, result: '3', boosterValue: 2 } }, net.admin)),
  generate: (drawId: string, _round: number) =>
    outcomeOf(t.call(generateResult, { body: { ...pair, drawId } }, net.admin)),
  void: (drawId: string, _round: number) =>
    outcomeOf(t.call(voidDraw, { body: { ...pair, drawId, reason: 'wrong ball' } }, net.superadmin)),
  /** Lets the clock expire at varying moments of the other action. */
  tick: async (_drawId: string, round: number) => {
    for (let queries = 0; queries < 2 * round; queries++) await t.db.query('select');
    t.clock.set(new Date(Math.ceil((t.clock.now().getTime() + 1) / 60_000) * 60_000));
    await t.app.tick();
    return 'ticked';
  },
};
type Act = keyof typeof ACTS;

async function outcomeOf(reply: Promise<Reply<unknown>>): Promise<string> {
  const { status, body } = await reply;
  return status === 200 ? 'done' : body.code!;
}

interface Draw {
  id: string;
  status: string;
  result: unknown;
  source: string | null;
  saved_result: unknown;
  in_order: boolean;
  wins: bigint;
  refunds: bigint;
  tickets: bigint;
}

const drawOf = async (number: number): Promise<Draw> =>
  (
    await t.db.query<Draw>(
      `select d.id, d.status, d.result, d.source, d.saved_result, count(k.id) as tickets,
              (select count(*) from transfers x join tickets y on y.id = x.reference
                where x.kind = ${TRANSFER_KINDS.win} and y.draw_id = d.id) as wins,
              (select count(*) from transfers x join tickets y on y.id = x.reference
                where x.kind = ${TRANSFER_KINDS.refund} and y.draw_id = d.id) as refunds,
              coalesce(max(k.placed_at) < d.closed_at, true) and d.closed_at <= d.finished_at
                and coalesce(d.saved_at >= d.closed_at, true) as in_order
       from draws d left join tickets k on k.draw_id = d.id where d.network_id = $1 and ${DRAW_NUMBER} = $2 group by d.network_id, d.id`,
      [net.networkId, number],
    )
  )[0]!;

const names = Object.keys(ACTS) as Act[];
const pairs = names.flatMap((one, index) => names.slice(index).map((other): [Act, Act] => [one, other]));

it.each(pairs)('concurrent %s and %s leave one ending of the draw', async (one, other) => {
  for (let round = 0; round < ROUNDS; round++) {
    await t.finishDraw();
    await t.db.query('update sessions set created_at = $1, last_used_at = $1', [t.clock.now()]);
    const number = Math.floor(t.clock.now().getTime() / 60_000);
    const drawId = (await drawOf(number)).id;
    await t.bet(net.user, Object.fromEntries(Array.from({ length: 10 }, (_, outcome) => [outcome, 1])));
    const bets = Array.from({ length: 4 }, (_, outcome) => t.bet(net.user, { [outcome]: 1 }, { drawId }));
    const begin = round % 2 ? [one, other] : [other, one];
    const done = await Promise.all(begin.map((act) => ACTS[act](drawId, round)));
    const outcomes = round % 2 ? done : done.toReversed();
    const taken = (await Promise.all(bets)).filter(({ status }) => status === 201).length;
    await t.finishDraw();

    const draw = await drawOf(number);
    const did = [one, other].filter((_name, index) => outcomes[index] === 'done');
    const ended = did.filter((name) => name !== 'save');
    expect(ended.length, `${one}: ${outcomes[0]}, ${other}: ${outcomes[1]}`).toBeLessThanOrEqual(1);
    for (const outcome of outcomes) expect(['done', 'ticked', 'DRAW_STATE']).toContain(outcome);
    if (one !== 'tick' && other !== 'tick' && [one, other].some((name) => name !== 'save'))
      expect(ended).toHaveLength(1);
    const source = ended[0] === 'generate' || !did.includes('save') ? 'generated' : 'declared';
    expect(draw, `${one}: ${outcomes[0]}, ${other}: ${outcomes[1]}`).toMatchObject(
      ended[0] === 'void'
        ? { status: 'void', result: null, source: null, wins: 0n, refunds: BigInt(taken + 1) }
        : { status: 'settled', source, refunds: 0n },
    );
    expect(draw).toMatchObject({ in_order: true, tickets: BigInt(taken + 1) });
    if (ended[0] !== 'void') expect(draw.wins).toBeGreaterThan(0n);
  }
});

it('a bet locks its draw until commit: others may bet on it, but it cannot end', async () => {
  await t.finishDraw();
  await t.db.transaction(async (tx) => {
    const draw = (await lockBetDraw(tx, net.networkId, GAME, t.clock.now()))!;
    const at = [net.networkId, draw.id];
    const one = 'select from draws where network_id = $1 and id = $2';
    await t.db.query(`${one} for share nowait`, at);
    await expect(t.db.query(`${one} for no key update nowait`, at)).rejects.toThrow('could not obtain lock');
  });
});

it('leaves books and logs correct', async () => {
  await t.expectBooksToBalance();
  const back = await t.db.query(
    `select from (select at, lag(at) over (partition by network_id order by seq) as before from activity) as log where at < before`,
  );
  expect(back).toHaveLength(0);
});

it('the database refuses a void draw with a result', async () => {
  const voided = await t.ok(voidDraw, { body: { ...pair, reason: 'wrong ball' } }, net.admin);
  const change = `update draws set result = '7', result_label = '7', booster = 1, source = 'generated' where id = $1`;
  await expect(t.db.query(change, [voided.drawId])).rejects.toThrow('draws_result');
});
