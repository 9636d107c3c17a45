import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { liabilityDays } from '@drawhouse/contract/liability/liability';
import type { Route } from '@drawhouse/contract/core/route';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import type * as z from 'zod/mini';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nameOf, ROUTES } from '../routes/contract-routes.ts';
import { TestApp, type Network } from '../harness.ts';
import { eachNth } from '../test-tier.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start({ timeZone: 'America/New_York' });
  net = await t.network({ credit: 100 });
  await t.bet(net.user, { 1: 1 });
  await t.finishDraw();
});
afterAll(() => t.close());

const fieldsOf = ({ query }: Route): string[] =>
  Object.keys((query as Partial<z.ZodMiniObject> | undefined)?.shape ?? {});
const OF_LATE: readonly Route[] = [playerTickets];
const routesWith = (...fields: string[]): Route[] =>
  ROUTES.filter(
    (route) =>
      route.method === 'GET' && !OF_LATE.includes(route) && fields.every((field) => fieldsOf(route).includes(field)),
  );

const INSTANTS: readonly (readonly [startDate: string, endDate: string])[] = [
  ['0001-01-01T00:00:00.000Z', '0001-01-01T23:59:59.999Z'],
  ['0001-01-01T00:00:00.000Z', '0006-01-01T00:00:00.000Z'],
  ['0099-12-31T00:00:00.000Z', '0100-03-01T00:00:00.000Z'],
  ['1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z'],
  ['2026-03-10T10:00:00.000Z', '2026-03-10T10:00:00.000Z'],
  ['2024-02-29T00:00:00.000Z', '2029-03-01T00:00:00.000Z'],
  ['9994-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  [`2026-03-10T00:00:00.${'1'.repeat(500)}Z`, `2026-03-10T23:59:59.${'9'.repeat(500)}Z`],
];
const ZONES = ['Pacific/Kiritimati', 'America/St_Johns', '-11:30'];

async function ask(route: Route, query: Record<string, string>): Promise<{ status: number; body: string }> {
  const about = { ...(fieldsOf(route).includes('id') && { id: net.admin._id }), ...query };
  const path = route.path.replace(':userId', net.admin._id);
  const { statusCode, body } = await t.app.http.inject({
    url: `/api/${path}?${new URLSearchParams(about).toString()}`,
    headers: { authorization: `Bearer ${net.admin.token}` },
  });
  return { status: statusCode, body };
}

async function expectAnswer(route: Route, query: Record<string, string>): Promise<void> {
  const { status, body } = await ask(route, query);
  expect(status, `${nameOf(route)} with ${JSON.stringify(query).slice(0, 200)}: ${body.slice(0, 300)}`).toBe(200);
}

it.each(eachNth(6, [...INSTANTS.entries()]))(
  "any two instants are answered in any time zone's calendar: %i",
  async (index, instants) => {
    const routes = routesWith('startDate', 'endDate');
    expect(routes.length).toBeGreaterThan(20);
    const [startDate, endDate] = instants;
    const timeZone = ZONES[index % ZONES.length]!;
    for (const route of routes)
      await expectAnswer(route, { startDate, endDate, ...(fieldsOf(route).includes('timeZone') && { timeZone }) });
  },
);

it.each(['date', 'tdate'])('any day is answered, as %s', async (field) => {
  const routes = routesWith(field);
  expect(routes.length).toBeGreaterThan(2);
  for (const route of routes)
    for (const day of ['0001-01-01', '1970-01-01', '2026-03-08', '9999-12-31'])
      await expectAnswer(route, { [field]: day });
});

it('a single end is answered, or the missing one requested by name', async () => {
  for (const route of routesWith('startDate', 'endDate'))
    for (const [field, other, instant] of [
      ['startDate', 'endDate', INSTANTS[0]![0]],
      ['endDate', 'startDate', INSTANTS.at(-2)![1]],
    ] as const) {
      const { status, body } = await ask(route, { [field]: instant });
      const { fields } = JSON.parse(status === 200 ? '{}' : body) as { fields?: Record<string, string> };
      expect(
        status === 200 || fields?.[other],
        `${nameOf(route)} with ${field}: ${status} ${body.slice(0, 300)}`,
      ).toBeTruthy();
    }
});

it('an offset means the same as its time zone', async () => {
  const of = (timeZone: string) => t.ok(dashboard, { query: { timeZone } }, net.admin);
  expect(await of('+05:30')).toEqual(await of('Asia/Kolkata'));
});

it('fractions of a second of any length are accepted', async () => {
  const [startDate, endDate] = INSTANTS.at(-1)!;
  const plain = { startDate: '2026-03-10T00:00:00.111Z', endDate: '2026-03-10T23:59:59.999Z' };
  expect(await t.ok(liabilityDays.route, { query: { startDate, endDate } }, net.admin)).toEqual(
    await t.ok(liabilityDays.route, { query: plain }, net.admin),
  );
});
