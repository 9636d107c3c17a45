import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { httpLimits } from '../../platform/http/limits/http-limits.ts';
import { createRequestIds } from '../../platform/http/request/request-headers.ts';
import { listen, TestApp, type Network } from '../../../test/harness.ts';
import { keepVerdict } from '../../liability/verdicts.ts';
import { metricDefinitions, type MetricSources } from './metric-definitions.ts';
import { createMeasures } from './measures.ts';
import { openMetricsPort } from './metrics.ts';

const TOKEN = 'the token of the figures';
const OPERATIONS = fileURLToPath(new URL('../../../../../docs/operations/', import.meta.url));
const FOLDER = tmpdir();

let t: TestApp;
let net: Network;
let stepCount = 0;

beforeAll(async () => {
  const grade = {
    size: 12_345,
    sealedAt: '2026-03-10T09:59:00.000Z',
    isStopped: false,
    witnesses: [
      { name: 'one', last: '2026-03-10T09:00:00.000Z', isSilent: false },
      { name: 'two', last: null, isSilent: true },
    ],
  };
  t = await TestApp.start({
    metrics: {
      token: TOKEN.replaceAll(' ', '-'),
      folders: { data: FOLDER, backups: join(FOLDER, 'not-made-yet') },
      clock: { stepCount: () => stepCount, behindUntil: () => undefined },
      hosts: async () => [
        { host: 'a:5432', role: 'primary', behindBytes: undefined, waitsFor: 'b', trouble: '' },
        { host: 'b:5432', role: 'standby', behindBytes: 7, waitsFor: '', trouble: '' },
      ],
    },
    seals: () => ({
      served: { place: {}, witnesses: [] } as never,
      newest: () => undefined,
      grade: async () => grade,
    }),
  });
  net = await t.network({ credit: 500 });
});
afterAll(() => t.close());

const read = (): Promise<string> => t.app.metrics!.read();

function valueIn(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

const value = async (sample: string): Promise<number | undefined> => valueIn(await read(), sample);

describe('metrics', () => {
  it('count bets, accepted and refused, and their batches', async () => {
    await t.bet(net.user, { '7': 2 });
    await t.bet(net.user, { '7': 9_999 });
    const text = await read();
    expect(valueIn(text, 'drawhouse_bets_total{outcome="taken"}')).toBe(1);
    expect(valueIn(text, 'drawhouse_bets_total{outcome="INSUFFICIENT_CREDIT"}')).toBe(1);
    expect(valueIn(text, 'drawhouse_bet_batch_size_count')).toBe(2);
    expect(valueIn(text, 'drawhouse_bets_waiting')).toBe(0);
  });

  it('count calls by route pattern and status, not by path', async () => {
    for (let nth = 0; nth < 30; nth++) await t.send('GET', `/api/nothing/${nth}`);
    for (let nth = 0; nth < 30; nth++) await t.send('GET', `/api/users/${nth}`, net.admin);
    const text = await read();
    expect(valueIn(text, 'drawhouse_http_requests_total{method="(none)",route="(none)",status="404"}')).toBe(30);
    expect(text).not.toMatch(/route="\/api\/(?:nothing|users\/\d)/);
    const names = new Set(
      [...text.matchAll(/drawhouse_http_requests_total\{.*?route="(.*?)"/g)].map(([, route]) => route),
    );
    expect(names.size).toBeLessThan(20);
    expect(valueIn(text, 'drawhouse_http_request_duration_seconds_count{method="POST",route="/api/app/bet"}')).toBe(2);
  });

  it('measure delay and duration of closing, drawing and settling', async () => {
    await t.bet(net.user, { '7': 1 });
    const count = async (step: string) => (await value(`drawhouse_draw_lateness_seconds_count{step="${step}"}`)) ?? 0;
    const before = await Promise.all(['close', 'draw', 'settle'].map(count));
    await t.finishDraw();
    t.clock.advance(90_000);
    await t.app.tick();
    const text = await read();
    const after = ['close', 'draw', 'settle'].map((step) =>
      valueIn(text, `drawhouse_draw_lateness_seconds_count{step="${step}"}`),
    );
    expect(after.map((now, index) => now! - before[index]!)).toEqual([2, 2, 2]);
    expect(valueIn(text, 'drawhouse_settlement_duration_seconds_count')).toBeGreaterThanOrEqual(1);
    expect(valueIn(text, 'drawhouse_draw_lateness_seconds_sum{step="draw"}')).toBeGreaterThan(29);
    expect(valueIn(text, 'drawhouse_draw_lateness_seconds_sum{step="close"}')).toBeGreaterThan(29);
  });

  it('count rejections by reason', async () => {
    const headers = { origin: 'http://elsewhere' };
    expect((await fetch(`${await listen(t.app)}/socket.io/?EIO=4&transport=polling`, { headers })).status).toBe(403);
    expect(await value('drawhouse_connections_refused_total{reason="foreign_origin"}')).toBe(1);
  });

  it('measure how long a draw waits unmoved', async () => {
    const overdue = async () => {
      const text = await read();
      return ['draw', 'settle'].map((step) => valueIn(text, `drawhouse_draw_overdue_seconds{step="${step}"}`));
    };
    expect(await overdue()).toEqual([0, 0]);
    t.clock.advance(200_000);
    expect(await overdue()).toEqual([expect.toSatisfy((seconds: number) => seconds > 100), 0]);
    await t.app.tick();
    expect(await overdue()).toEqual([0, 0]);
  });

  it('distinguish draws awaiting a result from draws awaiting payment', async () => {
    const now = new Date('2026-03-10T10:00:00.000Z');
    const waits = { draw: null, payment: new Date('2026-03-10T09:58:00.000Z') };
    const figures = metricDefinitions(createMeasures(), {
      now: () => now,
      longestWaits: async () => waits,
    } as MetricSources);
    const overdue = figures.find(({ name }) => name === 'drawhouse_draw_overdue_seconds')!;
    expect(await overdue.read()).toEqual([
      [0, { step: 'draw' }],
      [120, { step: 'settle' }],
    ]);
  });

  it('cover audits, seals, witnesses, clock and disk', async () => {
    await keepVerdict(t.db, t.app.services, 'whole', [{ problems: ['one', 'two'] }, { problems: [] }]);
    stepCount = 3;
    const text = await read();
    expect(valueIn(text, 'drawhouse_audit_problems{scope="whole"}')).toBe(2);
    expect(valueIn(text, 'drawhouse_audit_timestamp_seconds{scope="whole"}')).toBe(t.clock.now().getTime() / 1_000);
    expect(valueIn(text, 'drawhouse_sealed_records')).toBe(12_345);
    expect(valueIn(text, 'drawhouse_seal_timestamp_seconds')).toBe(Date.parse('2026-03-10T09:59:00.000Z') / 1_000);
    expect(valueIn(text, 'drawhouse_seal_witnesses{state="answering"}')).toBe(1);
    expect(valueIn(text, 'drawhouse_seal_witnesses{state="silent"}')).toBe(1);
    expect(valueIn(text, 'drawhouse_clock_steps_total')).toBe(3);
    expect(valueIn(text, 'drawhouse_disk_free_bytes{folder="data"}')).toBeGreaterThan(0);
    expect(text).not.toContain('folder="backups"');
    expect(valueIn(text, 'drawhouse_build_info{version="test"}')).toBe(1);
    expect(await value('drawhouse_clock_steps_total')).toBe(3);
  });

  it('show the hosts of the database, and what a standby lacks', async () => {
    expect(await value('drawhouse_database_hosts{role="standby"}')).toBe(1);
    expect(await value('drawhouse_database_hosts{role="unreachable"}')).toBe(0);
    expect(await value('drawhouse_database_standby_lag_bytes{host="b:5432"}')).toBe(7);
  });

  it('remain available without database, without blocking others', async () => {
    expect(await value('drawhouse_database_up')).toBe(1);
    const away = vi.spyOn(t.served, 'takesWrites').mockRejectedValue(new Error('away'));
    vi.spyOn(t.served, 'query').mockRejectedValue(new Error('away'));
    const text = await read();
    expect(away).toHaveBeenCalledTimes(1);
    vi.restoreAllMocks();
    expect(valueIn(text, 'drawhouse_database_up')).toBe(0);
    expect(valueIn(text, 'drawhouse_database_writable')).toBe(0);
    expect(text).not.toContain('drawhouse_draw_overdue_seconds{');
    expect(text).not.toContain('drawhouse_audit_problems{');
    expect(valueIn(text, 'drawhouse_database_connections_max{pool="bets"}')).toBe(9);
  });

  it('name no account, id or credit', async () => {
    const text = await read();
    const accounts = await t.db.query<{ id: string; username: string; unique_id: string | null }>(
      'select id, username, unique_id from accounts',
    );
    for (const { id, username, unique_id: uniqueId } of accounts)
      for (const name of [id, username, uniqueId ?? id]) expect(text).not.toContain(`"${name}"`);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
    const labels = new Set([...text.matchAll(/[{,]([a-z_]+)="/g)].map(([, label]) => label!));
    expect([...labels].toSorted()).toEqual(
      [
        'folder',
        'host',
        'kind',
        'le',
        'major',
        'method',
        'minor',
        'outcome',
        'patch',
        'pool',
        'reason',
        'role',
        'route',
        'scope',
        'space',
        'state',
        'status',
        'step',
        'version',
      ].filter((label) => labels.has(label)),
    );
  });
});

describe('/metrics', () => {
  const ask = (headers: Record<string, string> = {}) => t.send('GET', '/metrics', {}, undefined, headers);

  it('requires the token', async () => {
    const { status, headers, body } = await ask({ authorization: `Bearer ${TOKEN.replaceAll(' ', '-')}` });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ]);
    expect(body as unknown).toContain('# TYPE drawhouse_bets_total counter');
  });

  it.each<Record<string, string>>([{}, { authorization: 'Bearer another' }, { authorization: `Basic ${TOKEN}` }])(
    'is refused otherwise: %j',
    async (headers) => expect(await ask(headers)).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } }),
  );

  it('accepts no session', async () =>
    expect(await ask({ authorization: `Bearer ${net.superadmin.token}` })).toMatchObject({ status: 401 }));

  it('does not exist without a configured token', async () => {
    const other = await t.beside();
    expect(await other.send('GET', '/metrics')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(other.app.metrics).toBeUndefined();
    await other.close();
  });

  it('has its own port with nothing else on it', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
    const means = { logger, newRequestId: createRequestIds(() => 0), limits: httpLimits({}) };
    const open = (token: string | undefined) =>
      openMetricsPort(t.app.metrics!, { host: '127.0.0.1', port: 0, token }, means);
    const own = await open(undefined);
    const guarded = await open('shown');
    const at = (app: typeof own) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    const text = await (await fetch(`${at(own)}/metrics`)).text();
    expect(text).toContain('drawhouse_build_info');
    expect((await fetch(`${at(own)}/api/auth/session`)).status).toBe(404);
    expect((await fetch(`${at(guarded)}/metrics`)).status).toBe(401);
    expect((await fetch(`${at(guarded)}/metrics`, { headers: { authorization: 'Bearer shown' } })).status).toBe(200);
    vi.spyOn(t.app.metrics!, 'read').mockRejectedValueOnce(new Error('a fault of ours'));
    const broken = (await (await fetch(`${at(own)}/metrics`)).json()) as { code: string; requestId: string };
    expect(broken.code).toBe('INTERNAL');
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const messages = logged.filter(({ requestId }) => requestId === broken.requestId).map(({ msg }) => msg);
    expect(messages).toEqual(['call failed', 'call']);
    expect(await (await fetch(`${at(own)}/%ZZ`)).json()).toMatchObject({
      success: false,
      requestId: expect.any(String),
    });
    const raw = connect((own.server.address() as AddressInfo).port, '127.0.0.1');
    raw.write('nonsense\r\n\r\n');
    expect(String((await once(raw, 'data'))[0])).toContain('"requestId"');
    raw.destroy();
    await Promise.all([own.close(), guarded.close()]);
  });
});

function namedIn(text: string): { name: string; labels: string[] }[] {
  return [...text.matchAll(/\b((?:drawhouse|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(([, name, chosen = '']) => ({
    name: name!,
    labels: [...chosen.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  }));
}

describe('dashboard and alerts', () => {
  const rules = readFileSync(join(OPERATIONS, 'alerts.yml'), 'utf8');
  const dashboard = JSON.parse(readFileSync(join(OPERATIONS, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  const exprs = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const alerts = [...rules.matchAll(/- alert: (\w+)[^]*?runbook_url: (\S+)/g)].map(([, name, page]) => ({
    name: name!,
    page: page!,
  }));

  it('use existing metrics and labels', async () => {
    const text = await read();
    const served = new Set(
      [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name, type]) =>
        type === 'histogram' ? ['', '_bucket', '_sum', '_count'].map((end) => name! + end) : [name!],
      ),
    );
    const labelsOf = (name: string): Set<string> =>
      new Set(
        [...text.matchAll(new RegExp(`^${name}\\{(.*)\\} `, 'gm'))].flatMap(([, all]) =>
          [...all!.matchAll(/(\w+)="/g)].map(([, label]) => label!),
        ),
      );
    const asked = [rules, ...exprs].flatMap(namedIn);
    expect(asked.length).toBeGreaterThan(60);
    for (const { name, labels } of asked) {
      expect(served, `${name} is served`).toContain(name);
      for (const label of labels)
        if (label !== 'instance' && label !== 'job')
          expect(labelsOf(name), `${name} has the label ${label}`).toContain(label);
    }
  });

  it('cover all our metrics', async () => {
    const asked = [rules, ...exprs].join('\n');
    const own = [...(await read()).matchAll(/^# TYPE (drawhouse_\w+)/gm)].map(([, name]) => name!);
    expect(own.length).toBeGreaterThan(25);
    expect(own.filter((name) => !asked.includes(name))).toEqual([]);
  });

  it('have one page per alert and one alert per page', () => {
    expect(alerts.length).toBe([...rules.matchAll(/- alert: /g)].length);
    for (const { name, page } of alerts) {
      const [heading] = readFileSync(join(OPERATIONS, '../..', page), 'utf8').split('\n');
      expect(heading).toBe(`# ${name}`);
    }
    const pages = readdirSync(join(OPERATIONS, 'runbooks')).map((file) => `docs/operations/runbooks/${file}`);
    expect(pages.toSorted()).toEqual(alerts.map(({ page }) => page).toSorted());
  });

  it('are tested: rule tests name each alert', () => {
    const tested = readFileSync(join(OPERATIONS, 'alerts-test.yml'), 'utf8');
    expect(alerts.filter(({ name }) => !tested.includes(`alertname="${name}"`))).toEqual([]);
  });
});
