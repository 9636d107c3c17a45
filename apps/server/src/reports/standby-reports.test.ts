import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '../accounts/authority.ts';
import { connect, type Database } from '../platform/db/database.ts';
import type { Call, FileAnswer } from '../platform/http/handler.ts';
import { reportsRoutes } from './reports.routes.ts';
import { TestApp, type Network } from '../../test/harness.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
});
afterAll(() => t.close());

async function ask(path: string, standby: Database | undefined): Promise<unknown> {
  const { handler } = reportsRoutes(t.app.services, 'sunday', standby).find(({ route }) => route.path === path)!;
  const { _id: id, username, role } = net.admin;
  const actor = { id, username, role, networkId: net.networkId } as Actor;
  const call = { actor, aborted: new AbortController().signal } as Call<Actor>;
  return handler({ params: {}, query: {}, body: undefined } as never, call);
}

it('come from the standby and say so, on the page and in the file', async () => {
  const at = t.clock.now().toISOString();
  const report = turnoverReport.route.path;
  expect(await ask(report, undefined)).not.toHaveProperty('freshness');
  expect(await ask(report, t.served)).toMatchObject({ freshness: { from: 'standby', asOf: at } });
  const { about } = (await ask(`${report}/csv`, t.served)) as FileAnswer;
  expect(new URLSearchParams(about).get('As of')).toBe('2026-03-10 15:30:00');

  const away = connect('postgres://nobody@127.0.0.1:1/none', { onError: () => {} });
  expect(await ask(report, away)).toMatchObject({ freshness: { from: 'primary', asOf: at } });
  await away.close();
});

it('exclude balances, credit and lists that staff act on', () => {
  const lagging = reportsRoutes(t.app.services, 'sunday', t.served).flatMap(({ route }) =>
    'freshness' in ((route.response as { shape?: object }).shape ?? {}) ? [route.path] : [],
  );
  expect(lagging).toEqual(['reports/turn', 'reports/admincommissionpayout', 'reports/returns']);
});
