import { basename } from 'node:path';
import { spawnSync } from 'node:child_process';
import { verify } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  addResult,
  fairDraw,
  fairKeeper,
  generateResult,
  playerState,
  voidDraw,
} from '@drawhouse/contract/draws/draws';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { examineKeepers } from '@drawhouse/rules/examine-keepers';
import { verifyDraw } from '@drawhouse/rules/fair';
import type { PublishedDraw } from '@drawhouse/rules/fair';
import { examineSeed } from '@drawhouse/rules/published-seed';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, TestClock } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';
import { keptBy, startTestKeeper, whileStalled } from '../../test/kept-by.ts';
import type { TestKeeper } from '../../test/kept-by.ts';

let t: TestApp;
let net: Network;
let keeper: TestKeeper;

const game = { gameId: 'funtargetbingo' };
const pair = () => ({ ...game, adminId: net.admin._id });
const publicly = (drawId: string) => t.ok(fairDraw, { params: { drawId } });
const running = async (): Promise<string> => (await t.ok(playerState, { query: game }, net.user)).draw!._id;
const MINUTE_MS = 60_000;

const isSigned = (signature: Uint8Array, text: Uint8Array, publicKey: Uint8Array): boolean => {
  const key = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]);
  return verify(null, text, { key, format: 'der', type: 'spki' }, signature);
};

/** What anybody finds who checks a draw by what is published of it alone. */
async function problemsOf(drawId: string): Promise<string[]> {
  const published = (await publicly(drawId)) as unknown as PublishedDraw & Parameters<typeof examineKeepers>[0];
  const check = verifyDraw(published);
  return [...(check.ok ? [] : check.problems), ...examineKeepers(published, isSigned).problems];
}

/** What `docs/check_draw.py` says of draws, in short; what is right, where there is no Python. */
function checkedByScript(draws: readonly object[]): string[] {
  const script = fileURLToPath(new URL('../../../../docs/check_draw.py', import.meta.url));
  const { error, stdout } = spawnSync('python3', [script], {
    input: JSON.stringify(draws),
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (error) return [': right:', ': WRONG:'];
  return stdout
    .trim()
    .split('\n')
    .map((line) => /: [a-zA-Z]+:/.exec(line)?.[0] ?? line);
}

/** Moves to the last seconds before the draw time, when betting is closed, and does what is due. */
async function closeBetting(): Promise<void> {
  t.clock.advance(MINUTE_MS - 3_000);
  await t.app.tick();
}

/** Moves on so far and does what is due. */
async function after(ms: number): Promise<void> {
  t.clock.advance(ms);
  await t.app.tick();
}

const credit = (): Promise<number> => t.credit(net.user);

describe('draws of whose seeds a keeper has a part', () => {
  const clock: { now: TestClock } = { now: new TestClock() };
  beforeAll(async () => {
    keeper = await startTestKeeper(() => clock.now, 'other.example');
    t = await TestApp.start({
      keeping: keptBy([keeper]),
      clockOf: (moved) => {
        clock.now = moved;
        return moved;
      },
    });
  });
  afterAll(async () => {
    await t.close();
    await keeper.close();
  });
  beforeEach(async () => {
    keeper.way = 'well';
    net = await t.network({ credit: 500 });
  });
  afterEach(async () => {
    keeper.way = 'well';
    // What is left ends, and the next one begins with draws that have just opened.
    await after(3 * MINUTE_MS);
    await after(MINUTE_MS - (t.clock.now().getTime() % MINUTE_MS));
  });

  it('say so from the first moment, and are checked by what is published alone', async () => {
    await t.bet(net.user, { 7: 10 });
    const drawId = await running();
    const open = await publicly(drawId);
    expect(open.keepers).toMatchObject([
      { name: 'other.example', publicKey: keeper.publicKey, seed: null, askedAt: null },
    ]);
    expect(open.rulesVersion).toBe(2);
    await closeBetting();
    const closed = await publicly(drawId);
    // The seed is with the server now, and as secret as its own.
    expect(closed.keepers[0]).toMatchObject({ seed: null, signature: null, askedAt: t.clock.now().toISOString() });
    await after(3_000);
    const settled = await publicly(drawId);
    expect(settled).toMatchObject({ status: 'settled', source: 'generated' });
    expect(settled.keepers[0]!.seed).toMatch(/^[0-9a-f]{64}$/);
    expect(await problemsOf(drawId)).toEqual([]);
    const { results } = await t.ok(playerState, { query: game }, net.user);
    expect(results[0]).toMatchObject({ drawId, keptWith: 'other.example' });
    const { closesAt } = settled;
    expect(settled.keepers[0]).toMatchObject({ closesAt, releasedAt: expect.any(String) });
    expect(settled.keepers[0]!.releasedAt! >= closesAt).toBe(true);
    expect(checkedByScript([settled, { ...settled, tickets: 2 }])).toEqual([': right:', ': WRONG:']);
    await t.expectBooksToBalance();

    const kept = await t.ok(fairKeeper, {});
    expect(kept).toMatchObject({ selfKept: false, deadlineSeconds: 60, keepers: [{ name: 'other.example' }] });
    expect(kept.keepers[0]!.days.map(({ day }) => day)).toHaveLength(2);
    expect(kept.keepers[0]!.days[0]).toMatchObject({ root: settled.keepers[0]!.root });
  });

  it('see everything that is changed of what a keeper gave', async () => {
    const drawId = await running();
    await closeBetting();
    await after(3_000);
    const published = (await publicly(drawId)) as unknown as PublishedDraw & Parameters<typeof examineKeepers>[0];
    const [part] = published.keepers!;
    const findings = (changed: object): string[] => {
      const draw = { ...published, ...changed };
      const check = verifyDraw(draw);
      return [...(check.ok ? [] : check.problems), ...examineKeepers(draw, isSigned).problems];
    };
    const other = 'ab'.repeat(32);
    for (const changed of [
      { seed: other },
      { commitment: other },
      { index: part!.index ^ 1 },
      { root: other },
      { day: '2026-01-01' },
      { name: 'someone.else' },
      { closesAt: new Date(Date.parse(part!.closesAt) - 1).toISOString() },
      { releasedAt: new Date(Date.parse(part!.closesAt) - 1).toISOString() },
      { publicKey: other },
      { signature: 'ab'.repeat(64) },
      { daySignature: 'ab'.repeat(64) },
      { path: part!.path.slice(1) },
      { seed: null },
    ])
      expect([changed, findings({ keepers: [{ ...part, ...changed }] })]).not.toEqual([changed, []]);
    for (const changed of [{ tickets: 1 }, { ticketRoot: other }, { closesAt: '2026-03-10T23:00:00.000Z' }])
      expect([changed, findings(changed)]).not.toEqual([changed, []]);
    // Of ten outcomes another seed may give the same: so it is the seed that is compared.
    const { seed } = examineSeed(published);
    for (const changed of [{ keepers: [] }, { manualClaims: true }, { unitPrice: 2 }, { seed: other }])
      expect([changed, examineSeed({ ...published, ...changed }).seed]).not.toEqual([changed, seed]);
  });

  it('are void by the deadline where the keeper does not answer, with stakes back', async () => {
    await t.bet(net.user, { 7: 10 });
    const [drawId, before] = [await running(), await credit()];
    keeper.way = 'away';
    await closeBetting();
    await after(3_000);
    expect(await publicly(drawId)).toMatchObject({ status: 'closed', voidCause: null });
    const notices = await t.ok(listNotices, {}, net.superadmin);
    expect(notices.data).toContainEqual(expect.objectContaining({ code: 'KEEPER_AWAY' }));
    await after(50_000);
    expect((await publicly(drawId)).status).toBe('closed');
    await after(10_000);
    const voided = await publicly(drawId);
    expect(voided).toMatchObject({ status: 'void', voidCause: 'keeper', knowable: null, result: null });
    expect(await credit()).toBe(before + 10);
    expect(await problemsOf(drawId)).toEqual([]);
    await t.expectBooksToBalance();
  });

  it('are generated where the answer comes late, but in time', async () => {
    const drawId = await running();
    await whileStalled(keeper, async () => {
      await closeBetting();
      await after(10_000);
      expect(keeper.asked).toContain(drawId);
      expect((await publicly(drawId)).status).toBe('closed');
    });
    await after(6_000);
    expect(await publicly(drawId)).toMatchObject({ status: 'settled', source: 'generated' });
    expect(await problemsOf(drawId)).toEqual([]);
  });

  it('are marked as knowable where they are void after the seed came, with what they would have paid', async () => {
    await t.bet(net.user, Object.fromEntries(Array.from({ length: 10 }, (_, number) => [number, 1])));
    const drawId = await running();
    await closeBetting();
    await t.ok(voidDraw, { body: { ...pair(), reason: 'A bad day' } }, net.admin);
    const voided = await publicly(drawId);
    expect(voided).toMatchObject({ status: 'void', voidCause: 'operator', result: null });
    expect(voided.knowable).toMatchObject({
      result: { drawno: expect.any(String) },
      pays: 9 * voided.knowable!.booster,
    });
    expect(await problemsOf(drawId)).toEqual([]);
    const { knowable: _, ...silent } = voided;
    expect(verifyDraw({ ...silent, knowable: null } as never)).toMatchObject({ ok: false });
    await t.expectBooksToBalance();
  });

  it('are marked so too where the answer comes only after they are void', async () => {
    const drawId = await running();
    keeper.way = 'lost';
    await closeBetting();
    await t.ok(voidDraw, { body: { ...pair(), reason: 'A bad day' } }, net.admin);
    expect((await publicly(drawId)).knowable).toBeNull();
    keeper.way = 'well';
    await after(6_000);
    expect((await publicly(drawId)).knowable).toMatchObject({ pays: 0 });
    expect(await problemsOf(drawId)).toEqual([]);
    await t.expectBooksToBalance();
  });

  it('have no mark where they are void before anybody asked', async () => {
    const drawId = await running();
    await t.ok(voidDraw, { body: { ...pair(), reason: 'A bad day' } }, net.admin);
    await after(2 * MINUTE_MS);
    const { keepers, knowable } = await publicly(drawId);
    expect({ askedAt: keepers[0]!.askedAt, seed: keepers[0]!.seed, knowable }).toEqual({
      askedAt: null,
      seed: null,
      knowable: null,
    });
    expect(keeper.asked).not.toContain(drawId);
  });

  it.each<[string, (answer: Record<string, unknown>) => void]>([
    ['another seed', (answer) => (answer['seed'] = 'ab'.repeat(32))],
    ['another signature', (answer) => (answer['signature'] = 'ab'.repeat(64))],
    ['a refusal', (answer) => Object.assign(answer, { code: 'OTHER_ROOT', message: 'It was.', seed: undefined })],
    ['another time', (answer) => (answer['releasedAt'] = '2026-01-01T00:00:00.000Z')],
    ['nothing of the kind', (answer) => (answer['seed'] = 7)],
  ])('keep what a keeper answers wrongly as evidence: %s', async (_, change) => {
    const drawId = await running();
    keeper.way = ({ results }) => results.forEach(change);
    await closeBetting();
    await after(6_000);
    const evidence = await t.db.query<{ reason: string; question: object; answer: string }>(
      'select reason, question, answer from keeper_evidence where draw_id = $1',
      [drawId],
    );
    expect(evidence).toHaveLength(1);
    expect(evidence[0]!.question).toMatchObject({ drawId, operatorSignature: expect.any(String) });
    expect((await publicly(drawId)).status).toBe('closed');
    keeper.way = 'well';
    await after(6_000);
    expect(await publicly(drawId)).toMatchObject({ status: 'settled', source: 'generated' });
    expect(await problemsOf(drawId)).toEqual([]);
    await t.expectBooksToBalance();
  });

  it('take a declared result without asking, and none once anything could be asked', async () => {
    const drawId = await running();
    await t.ok(addResult, { body: { ...pair(), result: '3' } }, net.admin);
    await after(MINUTE_MS);
    const declared = await publicly(drawId);
    expect(declared).toMatchObject({ status: 'settled', source: 'declared', keepers: [{ askedAt: null, seed: null }] });
    expect(await problemsOf(drawId)).toEqual([]);
    await closeBetting();
    const late = await t.call(addResult, { body: { ...pair(), result: '3' } }, net.admin);
    expect(late).toMatchObject({ status: 409, body: { code: 'DRAW_STATE' } });
    await t.expectBooksToBalance();
  });

  it('are generated when an operator asks for it, for the tickets that there are, once betting has closed by its time', async () => {
    await t.bet(net.user, { 7: 10 });
    const drawId = await running();
    const early = await t.call(generateResult, { body: pair() }, net.admin);
    expect(early).toMatchObject({ status: 409, body: { message: expect.stringContaining('other.example') } });
    expect((await publicly(drawId)).status).toBe('open');
    await closeBetting();
    await t.ok(generateResult, { body: pair() }, net.admin);
    expect(await publicly(drawId)).toMatchObject({ status: 'settled', tickets: 1, source: 'generated' });
    expect(await problemsOf(drawId)).toEqual([]);

    await after(3_000);
    const next = await running();
    keeper.way = 'away';
    await closeBetting();
    const refused = await t.call(generateResult, { body: pair() }, net.admin);
    expect(refused.body.code).toBe('DRAW_STATE');
    expect((await publicly(next)).status).toBe('closed');
    keeper.way = 'well';
    await after(MINUTE_MS);
    expect(await publicly(next)).toMatchObject({ status: 'settled', source: 'generated' });
    await t.expectBooksToBalance();
  });

  it('do not open while no commitment is to be had, and never as kept by the server alone', async () => {
    const other = await t.beside({ keeping: keptBy([{ url: 'http://127.0.0.1:9', publicKey: keeper.publicKey }]) });
    await after(3_000);
    const drawId = await running();
    t.clock.advance(MINUTE_MS);
    await other.app.tick();
    const state = await t.ok(playerState, { query: game }, net.user);
    expect(state.draw).toBeNull();
    expect((await publicly(drawId)).status).toBe('closed');
    await other.close();
    await t.app.tick();
    expect((await publicly(await running())).keepers).toHaveLength(1);
  });

  it('are asked for once by two servers at once, and each place is one draw’s', async () => {
    const other = await t.beside({ keeping: keptBy([keeper]) });
    const drawId = await running();
    t.clock.advance(MINUTE_MS - 3_000);
    await Promise.all([t.app.tick(), other.app.tick()]);
    expect(keeper.asked.filter((id) => id === drawId)).toHaveLength(1);
    t.clock.advance(3_000);
    await Promise.all([t.app.tick(), other.app.tick()]);
    t.clock.advance(MINUTE_MS);
    await Promise.all([other.app.tick(), t.app.tick()]);
    expect(await publicly(drawId)).toMatchObject({ status: 'settled' });
    await other.close();
    const places = await t.db.query<{ count: bigint; places: bigint }>(
      'select count(*), count(distinct (keeper, day, index)) as places from draw_keepers',
    );
    expect(places[0]!.count).toBe(places[0]!.places);
    await t.expectBooksToBalance();
  });

  it('go on by whichever server there is, wherever one has stopped', async () => {
    await t.bet(net.user, { 7: 10 });
    const drawId = await running();
    keeper.way = 'lost';
    const first = await t.beside({ keeping: keptBy([keeper]) });
    t.clock.advance(MINUTE_MS - 3_000);
    // It closes, fixes the root and asks; the answer is lost, and so is the server.
    await first.app.tick();
    await first.close();
    keeper.way = 'well';
    const second = await t.beside({ keeping: keptBy([keeper]) });
    await after(1_000);
    expect((await publicly(drawId)).status).toBe('closed');
    t.clock.advance(6_000);
    await second.app.tick();
    await second.close();
    expect(await publicly(drawId)).toMatchObject({ status: 'settled', source: 'generated', tickets: 1 });
    expect(await problemsOf(drawId)).toEqual([]);
  });

  it('wait for a keeper whose clock is behind, and are void where it is so by more than the deadline', async () => {
    keeper.behindMs = 10_000;
    const drawId = await running();
    await closeBetting();
    await after(3_000);
    expect(await publicly(drawId)).toMatchObject({ status: 'closed', faults: [] });
    const notices = await t.ok(listNotices, {}, net.superadmin);
    expect(notices.data).toContainEqual(
      expect.objectContaining({ code: 'KEEPER_AWAY', detail: expect.stringMatching(/its clock is behind.*closesAt/) }),
    );
    await after(6_000);
    expect(await publicly(drawId)).toMatchObject({ status: 'settled', source: 'generated' });
    expect(await problemsOf(drawId)).toEqual([]);
    keeper.behindMs = 0;
  });

  it('are not released to a keeper that was put back to an older copy', async () => {
    const copy = `${keeper.dir}-copy`;
    await cp(keeper.dir, copy, { recursive: true, filter: (path) => !basename(path).startsWith('lock') });
    const drawId = await running();
    await closeBetting();
    await after(3_000);
    expect((await publicly(drawId)).status).toBe('settled');
    const next = await running();
    await expect(
      keeper.restart(async () => {
        await rm(keeper.dir, { recursive: true });
        await cp(copy, keeper.dir, { recursive: true });
      }),
    ).rejects.toThrow(/newest|older/);
    keeper.way = 'away';
    await after(MINUTE_MS);
    await after(2 * MINUTE_MS);
    expect(await publicly(next)).toMatchObject({ status: 'void', voidCause: 'keeper' });
    await rm(copy, { recursive: true });
  });
});
