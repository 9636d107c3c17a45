import { createHash } from 'node:crypto';
import { addResult } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { lottoJodiCross } from '@drawhouse/contract/live/live';
import { describe, expect, it } from 'vitest';
import { WatchedPanels } from '../../../test/clients/watched-panels.ts';

describe('over sockets', () => {
  const panels = new WatchedPanels();

  it('a client that missed a number rejoins and gets the whole panel', async () => {
    const one = panels.client('triplefun');
    await expect.poll(() => one.panel !== null).toBeTruthy();
    const lost = one.socket.listeners('panelChange');
    one.socket.off('panelChange');
    let missed = 0;
    one.socket.on('panelChange', () => {
      missed++;
      one.socket.off('panelChange');
      for (const listener of lost) one.socket.on('panelChange', listener);
    });
    await panels.bet('triplefun', [{ drawno: '123', head: 'triple', qty: 1 }]);
    await expect.poll(() => missed === 1).toBeTruthy();
    await panels.bet('triplefun', [{ drawno: '23', head: 'double', qty: 1 }]);
    await panels.converged(one, 'triplefun');
    expect(one.got).toMatchObject({ wholes: 2, gaps: 1 });
  });

  it('clients without changes get whole panels with equal content', async () => {
    const [one, other] = [panels.client('andarbahar'), panels.client('andarbahar', { changes: false })];
    await expect.poll(() => one.panel !== null && other.panel !== null).toBeTruthy();
    for (let n = 0; n < 5; n++) await panels.bet('andarbahar', [{ drawno: 'heart', head: 'suit', qty: 1 }]);
    for (const each of [one, other]) await panels.converged(each, 'andarbahar');
    expect(other.got.changes).toBe(0);
    expect(other.got.wholes).toBeGreaterThan(1);
    expect(one.got.wholes).toBe(1);
  });

  it('rejoining switches between changes and whole panels', async () => {
    const one = panels.client('funroulette');
    await expect.poll(() => one.panel !== null).toBeTruthy();
    one.socket.emit('gameData', { gameId: 'funroulette', adminId: panels.net.admin._id });
    await expect.poll(() => one.got.wholes === 2).toBeTruthy();
    const { changes } = one.got;
    await panels.bet('funroulette', [{ drawno: '00', qty: 1 }]);
    await expect.poll(() => one.got.wholes === 3).toBeTruthy();
    expect(one.got.changes).toBe(changes);
    one.socket.emit('gameData', { gameId: 'funroulette', adminId: panels.net.admin._id, changes: 'yes' as never });
    await expect.poll(() => one.refusals).toEqual(['INVALID_INPUT']);
  });

  it('a changed image arrives with the whole panel', async () => {
    const one = panels.client('luckycard16');
    await expect.poll(() => one.panel !== null).toBeTruthy();
    const [image] = await panels.t.db.query<{ id: string }>("select id from games where game_key = 'luckycard16'");
    const hash = createHash('sha256').update('x').digest();
    await panels.t.db.query('insert into images (hash, content) values ($1, $2)', [hash, Buffer.from('x')]);
    await panels.t.byHand("insert into game_images (game_id, position, hash, written_by) values ($1, 0, $2, '3')", [
      image!.id,
      hash,
    ]);
    panels.t.app.services.events.emit(
      'panelChanged',
      { networkId: panels.net.networkId, gameKey: 'luckycard16' },
      'any',
    );
    await expect.poll(() => one.panel!.data[0]!.image).toContain(hash.toString('hex'));
    expect(one.got.wholes).toBe(2);
    await panels.bet('luckycard16', [{ drawno: '0', qty: 1 }]);
    await panels.converged(one, 'luckycard16');
    expect(one.panel!.data[0]!.image).toContain(hash.toString('hex'));
  });

  it('results include data beside text everywhere', async () => {
    const gameId = 'lottery4d';
    const result = JSON.stringify([{ series: '1000', results: [{ subseries: '1200', drawno: '1234' }] }]);
    await panels.t.ok(addResult, { body: { gameId, adminId: panels.net.admin._id, result } }, panels.net.admin);
    const one = panels.client(gameId);
    await expect.poll(() => one.panel !== null).toBeTruthy();
    expect(one.panel!.saved).toMatchObject({ result: '1234', outcome: { winners: { 1200: '1234' } } });
    const drawId = one.panel!.draw!._id;
    await panels.t.finishDraw(300);
    await expect
      .poll(() => one.panel!.lastData.data[0])
      .toMatchObject({ drawno: '1234', result: { winners: { 1200: '1234' } }, source: 'declared', drawId });
  });

  it('jodi has its grid by tier, with stakes and recent results', async () => {
    const gameId = 'acqOpdpL';
    await panels.t.ok(
      addBalance,
      { body: { gameId, adminId: panels.net.admin._id, balance: 2_000 } },
      panels.net.admin,
    );
    await panels.bet(gameId, [
      { drawno: '42', head: 'jodi', series: 'K60GOLD', qty: 3 },
      { drawno: '4', head: 'andhar', series: 'K60GOLD', qty: 2 },
      { drawno: '7', head: 'bahar', series: 'K50SILVER', qty: 5 },
    ]);
    const query = { admin: panels.net.admin._id, gameId };
    const cross = await panels.t.ok(lottoJodiCross, { query }, panels.net.admin);
    expect(cross.data.map(({ series, sum, rows }) => [series, sum, rows.length])).toEqual([
      ['K50SILVER', 5, 100],
      ['K60GOLD', 5, 100],
      ['K70DIAMOND', 0, 100],
    ]);
    expect(cross.data[1]!.rows[42]).toMatchObject({ drawno: '42', andharsum: 2, baharsum: 0, jodisum: 3, totalsum: 5 });
    expect(cross).toMatchObject({ totalsumdata: 10, adminId: panels.net.admin._id, draw: { status: 'open' } });
    await panels.t.finishDraw(300);
    const { results } = await panels.t.ok(
      lottoJodiCross,
      { query },
      await panels.t.signIn(panels.net.superadmin.username),
    );
    expect(Object.keys((results[0]!.result as { winners: object }).winners)).toEqual([
      'K50SILVER',
      'K60GOLD',
      'K70DIAMOND',
    ]);
    expect(
      (await panels.t.call(lottoJodiCross, { query: { ...query, gameId: 'fruit12' } }, panels.net.admin)).status,
    ).toBe(404);
    expect(
      (await panels.t.call(lottoJodiCross, { query }, await panels.t.signIn(panels.net.retailer.username))).status,
    ).toBe(403);
    const stranger = await panels.t.network({ credit: 0, games: [gameId] });
    expect((await panels.t.call(lottoJodiCross, { query }, stranger.admin)).status).toBe(404);
  });
});
