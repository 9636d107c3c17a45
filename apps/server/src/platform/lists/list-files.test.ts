import { activityLog } from '@drawhouse/contract/activity/activity';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { adminCommission } from '@drawhouse/contract/reports/commission';
import { betList } from '@drawhouse/contract/reports/bet-list';
import { fileColumns } from '@drawhouse/contract/core/list-file';
import { liabilityReport } from '@drawhouse/contract/liability/liability';
import { CSV_TYPE, XLSX_TYPE } from '@drawhouse/contract/core/list';
import { onlinePlayers } from '@drawhouse/contract/reports/online-players';
import { roleAbove, ROLES } from '@drawhouse/contract/core/primitives';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { transactionReport } from '@drawhouse/contract/reports/transactions';
import { readXlsx } from 'hucre';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
});
afterAll(() => t.close());

async function fileOf(route: { path: string }, query: string, by: SignedIn) {
  const response = await t.app.http.inject({
    url: `/api/${route.path}${query}`,
    headers: { authorization: `Bearer ${by.token}` },
  });
  expect(response.statusCode).toBe(200);
  return response;
}

const aboutOf = ({ headers }: { headers: Record<string, unknown> }): [string, string][] => [
  ...new URLSearchParams(String(headers['x-about'])),
];

describe('log exports', () => {
  const [xlsx, csv] = activityLog.files;
  const heads = fileColumns(activityLog).map(({ header }) => header);

  it("contain all matches in order, in the viewer's time zone", async () => {
    const query = { search: 'created', sort: 'createdAt' } as const;
    const { data, total } = await t.ok(activityLog.route, { query: { ...query, pageSize: '500' } }, net.superadmin);
    expect(total).toBe(5);
    const reply = await fileOf(
      xlsx!.route,
      '?search=created&sort=createdAt&timeZone=America/Sao_Paulo',
      net.superadmin,
    );
    expect(reply.headers).toMatchObject({
      'content-type': XLSX_TYPE,
      'content-disposition': 'attachment; filename="logs.xlsx"',
      'x-total-rows': '5',
    });
    const { sheets } = await readXlsx(new Uint8Array(reply.rawPayload));
    expect(sheets[0]!.rows).toEqual([
      ['No', ...heads],
      ...data.map((row, index) => [
        index + 1,
        row.username,
        row.subject,
        row.requestUrl,
        row.method,
        row.ipAddress,
        new Date('2026-03-10T07:00:00Z'),
      ]),
    ]);
  });

  it('describe themselves in properties and a header', async () => {
    const query =
      '?search=created&sort=-createdAt&timeZone=America/Sao_Paulo&startDate=2026-03-10T03:00:00.000Z&endDate=2026-03-11T02:59:59.999Z';
    const lines = [
      ['Title', 'Logs'],
      ['Interval', 'Date 2026-03-10 00:00:00 – 2026-03-10 23:59:59'],
      ['Search', 'created'],
      ['Sorted by', 'Created At, descending'],
      ['Rows', 5],
      ['Made by', `${net.superadmin.username} (superadmin)`],
      ['Made at', '2026-03-10 07:00:00'],
      ['Time zone', 'America/Sao_Paulo'],
    ];
    const reply = await fileOf(xlsx!.route, query, net.superadmin);
    const { sheets, properties } = await readXlsx(new Uint8Array(reply.rawPayload));
    expect(sheets.map(({ name }) => name)).toEqual(['Logs']);
    expect(properties).toMatchObject({
      title: 'Logs',
      creator: net.superadmin.username,
      created: t.clock.now(),
      custom: Object.fromEntries(lines),
    });
    const texts = lines.map(([label, value]) => [label, String(value)]);
    for (const route of [xlsx!.route, csv!.route]) {
      const { headers } = await fileOf(route, query, net.superadmin);
      expect([...new URLSearchParams(String(headers['x-about']))]).toEqual(texts);
    }
  });

  it("name the server's day if the call names one or none", async () => {
    for (const [route, query] of [
      [csv!.route, '?date=2026-03-10'],
      [betList.files[1]!.route, '?tdate=2026-03-10'],
      [transactionReport.files[1]!.route, ''],
      [csv!.route, '?date=2026-03-09T18:30:00.000Z'],
      [betList.files[1]!.route, '?tdate=2026-03-10T18:29:59.999Z'],
      [transactionReport.files[1]!.route, '?date=2026-03-10T18:29:59.999Z'],
      [turnoverReport.files[1]!.route, ''],
      [adminCommission.files[1]!.route, ''],
    ] as const) {
      const { headers } = await fileOf(route, query, net.superadmin);
      const about = new URLSearchParams(String(headers['x-about']));
      expect([route.path, about.get('Interval')]).toEqual([route.path, `2026-03-10 of ${t.app.services.timeZone}`]);
    }
    const today = await fileOf(onlinePlayers.files[1]!.route, '', net.superadmin);
    expect(new URLSearchParams(String(today.headers['x-about'])).get('Interval')).toMatch(/^2026-03-10 of /);
    const now = await fileOf(liabilityReport.files[1]!.route, '', net.superadmin);
    expect(new URLSearchParams(String(now.headers['x-about'])).get('Interval')).toMatch(/^As of 2026-03-10 /);
    const of = `?id=${net.retailer._id}`;
    const { headers } = await fileOf(transactionReport.files[1]!.route, of, net.superadmin);
    expect(new URLSearchParams(String(headers['x-about'])).get('Account')).toBe(`${net.retailer.username} (retailer)`);
  });

  it('name the filtered account, choices and amounts', async () => {
    const [file] = accountLists.user.files;
    const query = `?parentId=${net.retailer._id}&state=active&balanceFrom=0&balanceTo=100000.5&online=yes`;
    const reply = await fileOf(file!.route, query, net.admin);
    const { properties } = await readXlsx(new Uint8Array(reply.rawPayload));
    expect(properties!.custom).toMatchObject({
      Title: 'Users',
      Reference: net.retailer.username,
      Interval: 'All times',
      Status: 'Active',
      Points: '0.00 – 100,000.50',
      'Is Online': 'Online',
      'Sorted by': 'Date & Time, descending',
      Rows: 1,
    });
  });

  it("never name accounts outside the caller's subtree, whatever the filter", async () => {
    const foreign = await t.network({ credit: 0 });
    for (const role of ROLES.slice(2)) {
      const { _id, username } = foreign[roleAbove(role)!];
      const [excel, plain] = await Promise.all(
        accountLists[role].files.map(({ route }) => fileOf(route, `?parentId=${_id}`, net.admin)),
      );
      const { properties } = await readXlsx(new Uint8Array(excel!.rawPayload));
      expect(properties!.custom, `of each ${role}`).toMatchObject({ Reference: _id, Rows: 0 });
      for (const said of [Object.values(properties!.custom!), ...[excel, plain].map((file) => aboutOf(file!).flat())]) {
        expect(said, `of each ${role}`).toContain(_id);
        expect(said, `of each ${role}`).not.toContain(username);
      }
    }
  });

  it('contain no executable formula', async () => {
    const body = { username: 'plain', password: 'correct horse battery', commission: 0, note: 'x' };
    await t.ok(accountRoutes.user.create, { body }, net.retailer);
    await t.db.query("update activity set subject = '=1+1' where subject = 'Created user plain'");
    const reply = await fileOf(csv!.route, '?search=%3D1', net.retailer);
    expect(reply.headers).toMatchObject({
      'content-type': CSV_TYPE,
      'content-disposition': 'attachment; filename="logs.csv"',
    });
    const lines = reply.body.replace('﻿', '').trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe(['No', ...heads].join(','));
    expect(lines[1]).toContain(`,"'=1+1",`);
    const book = await readXlsx((await fileOf(xlsx!.route, '?search=%3D1', net.retailer)).rawPayload);
    expect(book.sheets[0]!.rows[1]![2]).toBe('=1+1');
    expect([...(book.sheets[0]!.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined)).toEqual([]);
  });

  it('continue from chunk to chunk', async () => {
    await t.db.query(
      `insert into activity (network_id, seq, id, at, account_id, username, subject, url, method, ip, hash, chain)
       select $1, 1000000 + n, ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $3, $2, 'many',
         'Step ' || n, '/', 'GET', '::1', '', chain
       from generate_series(1, 2345) n, accounts a where a.id = $2`,
      [net.networkId, net.admin._id, t.clock.now()],
    );
    for (const sort of ['createdAt', '-createdAt']) {
      const reply = await fileOf(csv!.route, `?search=Step&sort=${sort}`, net.admin);
      expect(reply.headers['x-total-rows']).toBe('2345');
      const subjects = reply.body
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[2]);
      const steps = Array.from({ length: 2345 }, (_, index) => `Step ${index + 1}`);
      expect(subjects).toEqual(sort === 'createdAt' ? steps : steps.toReversed());
    }
  });
});
