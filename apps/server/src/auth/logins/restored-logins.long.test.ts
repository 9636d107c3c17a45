import { login, session } from '@drawhouse/contract/auth/auth';
import { exportBackup, importBackup, undoRestore } from '@drawhouse/contract/backup/backups';
import { addLogin, changeLogin, listLogins, removeLogin } from '@drawhouse/contract/logins/logins';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

let t: TestApp;
let net: Network;
beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100 });
});
afterAll(() => t.close());

const add = async (username: string): Promise<string> => {
  const body = { username, name: username, role: 'manager' as const, password: PASSWORD };
  return String((await t.ok(addLogin, { body }, net.admin)).data.number);
};
const signsIn = async (username: string): Promise<boolean> =>
  (await t.call(login, { body: { username, password: PASSWORD } })).status === 200;

it('restore and undo bring back no removed login and no right, and keep logins added since', async () => {
  const [removed, changed] = [await add('removed.one'), await add('changed.one')];
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  await t.ok(removeLogin, { params: { number: removed } }, net.admin);
  const terms = { name: 'changed.one', role: 'reports' as const, active: true };
  await t.ok(changeLogin, { params: { number: changed }, body: terms }, net.admin);
  await add('late.one');

  for (const exchange of [
    () => t.ok(importBackup, { query: { folder } }, net.admin),
    () => t.ok(undoRestore, { body: {} }, net.admin),
  ]) {
    await exchange();
    Object.assign(net.admin, await t.signIn(net.admin.username));
    await t.app.tick();
    expect([await signsIn('removed.one'), await signsIn('late.one')]).toEqual([false, true]);
    const { user } = await t.ok(session, {}, await t.signIn('changed.one'));
    expect(user.login?.role).toBe('reports');
    expect((await t.ok(listLogins, {}, net.admin)).data.map(({ name }) => name)).toEqual(['changed.one', 'late.one']);
    await t.expectBooksToBalance();
  }
});
