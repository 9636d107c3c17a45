import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { audit } from '../audit/audit.ts';
import { timeOfId } from '../platform/db/sql/uuids.ts';
import { TestApp, type Network } from '../../test/harness.ts';

const MINUTE_MS = 60_000;

let t: TestApp;
let net: Network;

beforeEach(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100, games: ['funtargetbingo', 'fruit12', 'horse12'] });
});
afterEach(() => t.close());

const running = async (): Promise<number> =>
  (await t.db.query('select from draws where opens_at <= $1 and draws_at > $1', [t.clock.now()])).length;

it('opens all other draws if one fails', async () => {
  await t.app.tick();
  const before = await running();
  const [game] = await t.db.query<{ id: string }>("select id from games where game_key = 'fruit12'");
  await t.db.query(
    `alter table draws add constraint no_more check (game_id <> '${game!.id}' or status <> 'open') not valid`,
  );
  t.clock.advance(10 * MINUTE_MS);
  await expect(t.app.tick()).rejects.toThrow('opening a draw of fruit12');
  expect(await running()).toBe(before - 1);
  expect((await t.bet(net.user, { 5: 1 })).status).toBe(201);
});

describe("the terms of a draw's opening", () => {
  it("hold if another server's clock was hours ahead, delaying their rows", async () => {
    const secondServer = await t.beside();
    const now = t.clock.now().getTime();
    t.clock.advance(180 * MINUTE_MS);
    await secondServer.app.tick();
    t.clock.set(new Date(now + MINUTE_MS));
    await t.app.tick();
    expect((await t.db.query('select from draws where opens_at = $1', [t.clock.now()])).length).toBe(3);
    const checks = await t.served.snapshot(audit);
    expect(checks.find(({ name }) => name === 'every draw opened as logged')!.problems).toEqual([]);
    await secondServer.close();
  });

  it("hold if the clock was hours ahead at a network's first opening", async () => {
    const now = t.clock.now().getTime();
    t.clock.advance(180 * MINUTE_MS);
    await t.network({ credit: 0 });
    await t.app.tick();
    t.clock.set(new Date(now + MINUTE_MS));
    const started = await t.beside();
    await started.app.tick();
    const [draw] = await t.db.query<{ id: string }>('select id from draws where opens_at = $1 limit 1', [
      t.clock.now(),
    ]);
    expect(timeOfId(draw!.id)).toEqual(t.clock.now());
    const checks = await t.served.snapshot(audit);
    expect(checks.find(({ name }) => name === 'every draw opened as logged')!.problems).toEqual([]);
    await started.close();
  });

  /** The latest id, because draws before the first logged opening are not judged. */
  const NEW = "('f' || substr(gen_random_uuid()::text, 2))::uuid";
  const OPEN = "id = (select id from draws where status = 'open' order by id limit 1)";
  it.each([
    [
      'another commitment with its seed',
      `update draws set commitment = sha256('mine') where ${OPEN}`,
      /^row \d+ of the log of network \d+ lists 3 draws that opened together, the last of them .*; their opening records were changed$/,
    ],
    [
      'another time',
      `update draws set draws_at = draws_at + interval '1 minute' where ${OPEN}`,
      /lists 3 draws that opened together, .* their opening records were changed$/,
    ],
    [
      'a draw that was taken away',
      `delete from draws where ${OPEN}`,
      /^row \d+ of the log of network \d+ lists 3 draws that opened together; missing: 1$/,
    ],
    [
      'a draw that was put in',
      `insert into draws (opens_at, closes_at, draws_at, id, game_id, terms_id, network_id, status, commitment, sealed_seed)
       select opens_at + interval '1 minute', closes_at + interval '1 minute', draws_at + interval '1 minute', ${NEW},
         game_id, terms_id, network_id,
              status, commitment, sealed_seed from draws where ${OPEN}`,
      /^draw .* of network \d+: no log row says that it opened$/,
    ],
    [
      'a draw that was put in among those that opened together',
      `insert into draws (opens_at, closes_at, draws_at, id, game_id, terms_id, network_id, status, commitment, sealed_seed)
       select opens_at + interval '1 minute', closes_at + interval '1 minute', draws_at + interval '1 minute',
              ('ffffffff' || substr(id::text, 9))::uuid, game_id, terms_id, network_id, status, commitment, sealed_seed
               from draws where ${OPEN}`,
      /^draw ffffffff.*: no log row says that it opened$/,
    ],
  ])('are rejected: %s', async (_what, sql, expected) => {
    await t.finishDraw();
    await t.expectBooksToBalance();
    await t.db.query(sql);
    const checks = await t.served.snapshot(audit);
    const { problems } = checks.find(({ name }) => name === 'every draw opened as logged')!;
    expect(problems).toEqual([expect.stringMatching(expected)]);
  });

  it('are judged for draws before the first such row too', async () => {
    const added = await t.db.query(
      `insert into draws (opens_at, closes_at, draws_at, id, game_id, terms_id, network_id, status, commitment, sealed_seed)
       select opens_at - interval '1 year', closes_at - interval '1 year', draws_at - interval '1 year',
              ('00000000' || substr(gen_random_uuid()::text, 9))::uuid, game_id, terms_id, network_id, status, commitment,
               sealed_seed from draws returning id`,
    );
    const checks = await t.served.snapshot(audit);
    expect(checks.find(({ name }) => name === 'every draw opened as logged')!.problems).toEqual(
      added.map(() => expect.stringMatching(/^draw 00000000.*: no log row says that it opened$/)),
    );
  });
});
