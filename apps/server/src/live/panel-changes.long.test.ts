import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { addResult } from '@drawhouse/contract/draws/draws';
import { loadGame, lottoJodiCross } from '@drawhouse/contract/live/live';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { BUILT_IN_GAMES } from '@drawhouse/rules/catalogue';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen, TestApp } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';
import { LiveClient, shownOf } from '../../test/live-client.ts';

describe('over sockets', () => {
  let t: TestApp;
  let url: string;
  let net: Network;
  const open: LiveClient[] = [];

  beforeAll(async () => {
    t = await TestApp.start();
    url = await listen(t.app);
    net = await t.network({ credit: 100_000, games: BUILT_IN_GAMES.map(({ gameId }) => gameId) });
    await t.give(net.superadmin, net.superadmin, 10_000);
    await t.give(net.superadmin, net.admin, 10_000);
  });
  beforeEach(() => t.finishDraw(300));
  afterEach(() => {
    for (const { socket } of open.splice(0)) socket.disconnect();
  });
  afterAll(async () => {
    await t.expectBooksToBalance();
    await t.close();
  });

  const client = (gameId: string, options?: ConstructorParameters<typeof LiveClient>[2]): LiveClient => {
    const made = new LiveClient(url, net.admin.token, options).open(net.admin._id, gameId);
    open.push(made);
    return made;
  };
  const truth = async (gameId: string) =>
    shownOf(await t.ok(loadGame, { query: { gameId, adminId: net.admin._id } }, net.admin));
  const bet = async (gameId: string, lines: RouteLines): Promise<void> =>
    void (await t.ok(placeBet, { body: { gameId, requestId: crypto.randomUUID(), lines } }, net.user));
  type RouteLines = Parameters<typeof t.ok<typeof placeBet>>[1]['body']['lines'];
  const isSame = ([shown, truly]: readonly unknown[]): boolean => isDeepStrictEqual(shown, truly);
  const converged = async (of: LiveClient, gameId: string): Promise<void> => {
    await expect.poll(async () => [shownOf(of.panel), await truth(gameId)]).toSatisfy(isSame);
  };

  it('who missed a number joins again and gets the whole panel', async () => {
    const one = client('triplefun');
    await expect.poll(() => one.panel !== null).toBeTruthy();
    // The next change gets lost on the way.
    const lost = one.socket.listeners('panelChange');
    one.socket.off('panelChange');
    let missed = 0;
    one.socket.on('panelChange', () => {
      missed++;
      one.socket.off('panelChange');
      for (const listener of lost) one.socket.on('panelChange', listener);
    });
    await bet('triplefun', [{ drawno: '123', head: 'triple', qty: 1 }]);
    await expect.poll(() => missed === 1).toBeTruthy();
    await bet('triplefun', [{ drawno: '23', head: 'double', qty: 1 }]);
    await converged(one, 'triplefun');
    expect(one.got).toMatchObject({ wholes: 2, gaps: 1 });
  });

  it('who asks for no changes gets whole panels, and both see the same', async () => {
    const [one, other] = [client('andarbahar'), client('andarbahar', { changes: false })];
    await expect.poll(() => one.panel !== null && other.panel !== null).toBeTruthy();
    for (let n = 0; n < 5; n++) await bet('andarbahar', [{ drawno: 'heart', head: 'suit', qty: 1 }]);
    for (const each of [one, other]) await converged(each, 'andarbahar');
    expect(other.got.changes).toBe(0);
    expect(other.got.wholes).toBeGreaterThan(1);
    expect(one.got.wholes).toBe(1);
  });

  it('who joins anew, to hear otherwise, is told only so from then on', async () => {
    const one = client('funroulette');
    await expect.poll(() => one.panel !== null).toBeTruthy();
    one.socket.emit('gameData', { gameId: 'funroulette', adminId: net.admin._id });
    await expect.poll(() => one.got.wholes === 2).toBeTruthy();
    const { changes } = one.got;
    await bet('funroulette', [{ drawno: '00', qty: 1 }]);
    await expect.poll(() => one.got.wholes === 3).toBeTruthy();
    expect(one.got.changes).toBe(changes);
    one.socket.emit('gameData', { gameId: 'funroulette', adminId: net.admin._id, changes: 'yes' as never });
    await expect.poll(() => one.refusals).toEqual(['INVALID_INPUT']);
  });

  it('an image that changes comes with the whole panel', async () => {
    const one = client('luckycard16');
    await expect.poll(() => one.panel !== null).toBeTruthy();
    const [image] = await t.db.query<{ id: string }>("select id from games where game_key = 'luckycard16'");
    const hash = createHash('sha256').update('x').digest();
    await t.db.query('insert into images (hash, content) values ($1, $2)', [hash, Buffer.from('x')]);
    await t.byHand("insert into game_images (game_id, position, hash, written_by) values ($1, 0, $2, '3')", [
      image!.id,
      hash,
    ]);
    t.app.services.events.emit('panelChanged', { networkId: net.networkId, gameKey: 'luckycard16' }, 'any');
    await expect.poll(() => one.panel!.data[0]!.image).toContain(hash.toString('hex'));
    expect(one.got.wholes).toBe(2);
    await bet('luckycard16', [{ drawno: '0', qty: 1 }]);
    await converged(one, 'luckycard16');
    expect(one.panel!.data[0]!.image).toContain(hash.toString('hex'));
  });

  it('results stand as data beside their text, wherever they come over the wire', async () => {
    const gameId = 'lottery4d';
    const result = JSON.stringify([{ series: '1000', results: [{ subseries: '1200', drawno: '1234' }] }]);
    await t.ok(addResult, { body: { gameId, adminId: net.admin._id, result } }, net.admin);
    const one = client(gameId);
    await expect.poll(() => one.panel !== null).toBeTruthy();
    expect(one.panel!.saved).toMatchObject({ result: '1234', outcome: { winners: { 1200: '1234' } } });
    const drawId = one.panel!.draw!._id;
    await t.finishDraw(300);
    await expect
      .poll(() => one.panel!.lastData.data[0])
      .toMatchObject({ drawno: '1234', result: { winners: { 1200: '1234' } }, source: 'declared', drawId });
  });

  it('the jodi game has its grid tier by tier, with the stakes of each tier and its recent results', async () => {
    const gameId = 'acqOpdpL';
    await bet(gameId, [
      { drawno: '42', head: 'jodi', series: 'K60GOLD', qty: 3 },
      { drawno: '4', head: 'andhar', series: 'K60GOLD', qty: 2 },
      { drawno: '7', head: 'bahar', series: 'K50SILVER', qty: 5 },
    ]);
    const query = { admin: net.admin._id, gameId };
    const cross = await t.ok(lottoJodiCross, { query }, net.admin);
    expect(cross.data.map(({ series, sum, rows }) => [series, sum, rows.length])).toEqual([
      ['K50SILVER', 5, 100],
      ['K60GOLD', 5, 100],
      ['K70DIAMOND', 0, 100],
    ]);
    expect(cross.data[1]!.rows[42]).toMatchObject({ drawno: '42', andharsum: 2, baharsum: 0, jodisum: 3, totalsum: 5 });
    expect(cross).toMatchObject({ totalsumdata: 10, adminId: net.admin._id, draw: { status: 'open' } });
    await t.finishDraw(300);
    const { results } = await t.ok(lottoJodiCross, { query }, await t.signIn(net.superadmin.username));
    expect(Object.keys((results[0]!.result as { winners: object }).winners)).toEqual([
      'K50SILVER',
      'K60GOLD',
      'K70DIAMOND',
    ]);
    expect((await t.call(lottoJodiCross, { query: { ...query, gameId: 'fruit12' } }, net.admin)).status).toBe(404);
    expect((await t.call(lottoJodiCross, { query }, await t.signIn(net.retailer.username))).status).toBe(403);
    const stranger = await t.network({ credit: 0, games: [gameId] });
    expect((await t.call(lottoJodiCross, { query }, stranger.admin)).status).toBe(404);
  });
});
