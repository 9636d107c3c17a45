import { describe, expect, it } from 'vitest';
import { arrivals } from './crowd.ts';
import { chart, sparkline, progress, summary } from './simulate-report.ts';
import { readAnswer } from './http-wire.ts';
import { Latencies, Tally } from './tally.ts';
import { BadOption, readOptions } from './options.ts';
import { answerOf } from './socket-wire.ts';

describe('Latencies', () => {
  it('reports percentiles within 1 % and the exact maximum', () => {
    const latencies = new Latencies();
    for (let ms = 1; ms <= 10_000; ms++) latencies.add(ms);
    for (const share of [0.5, 0.95, 0.99, 0.999, 1])
      expect(Math.abs(latencies.percentile(share) / (share * 10_000) - 1)).toBeLessThan(0.01);
    expect(latencies.mostMs).toBe(10_000);
    expect(latencies.count).toBe(10_000);
  });

  it('merges histograms and handles empty, tiny and huge values', () => {
    const [one, other] = [new Latencies(), new Latencies()];
    expect(one.percentile(0.5)).toBe(0);
    one.add(0);
    other.add(1e9);
    one.addAll(other);
    expect(one.count).toBe(2);
    expect(one.percentile(0.5)).toBe(0.01);
    expect(one.mostMs).toBe(1e9);
    expect(one.percentile(1)).toBeGreaterThan(190_000);
  });
});

describe('arrivals', () => {
  it('arrive at the given rate, each after an exponential gap', () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const due = arrivals(200, 5_000, random);
    const times = Array.from({ length: 20_000 }, () => {
      const next = due.nextMs;
      expect(due.take()).toBe(next);
      return next;
    });
    expect(times[0]).toBeGreaterThan(5_000);
    expect(times.every((time, index) => index === 0 || time > times[index - 1]!)).toBe(true);
    // 20,000 at 200 per second take 100 s, standard deviation 0.7 s.
    expect(Math.abs(times.at(-1)! - 105_000)).toBeLessThan(4_000);
    // Exponential gaps: 37 % exceed the mean.
    const longer = times.filter((time, index) => index > 0 && time - times[index - 1]! > 5).length;
    expect(Math.abs(longer / times.length - Math.exp(-1))).toBeLessThan(0.02);
  });
});

describe('Tally', () => {
  it('counts outcomes over time and doubles bucket width for long runs', () => {
    const tally = new Tally();
    for (let second = 0; second < 500; second++) {
      tally.accept(second * 1000, 5, 2);
      tally.refuse(second * 1000 + 1, 'BETTING_CLOSED');
      if (second % 2 === 0) tally.skip(second * 1000 + 2, 'busy');
    }
    expect(tally).toMatchObject({ accepted: 500, points: 1000, refusals: 500, unsent: { busy: 250, closed: 0 } });
    expect(tally.bucketMs).toBe(4000);
    expect(tally.buckets).toHaveLength(125);
    expect(tally.buckets.every((bucket) => bucket.accepted === 4 && bucket.refused === 4 && bucket.unsent === 2)).toBe(
      true,
    );
    expect(tally.buckets[0]!.latencies.count).toBe(4);
  });
});

describe('chart', () => {
  it('draws scale, columns and time within its width', () => {
    const text = chart({ title: 'rate', values: [0, 1, 5, 10], format: String }, 1000, 80, 2);
    expect(text).toBe(['rate', '10 │   █', ' 0 │ ▂██', '   └────', '    0 4 s'].join('\n'));
  });

  it('merges values, keeps the maximum and shows the smallest value', () => {
    const values = Array.from({ length: 1000 }, (_, index) => (index === 501 ? 1000 : 1));
    const lines = chart({ title: 'x', values, format: String }, 1000).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines[1]).toMatch(/^1000 │ +█$/);
    expect(lines.at(-3)).toMatch(/^ +0 │▁+█▁+$/);
  });

  it('fits a narrow terminal', () => {
    const tally = new Tally();
    for (let second = 0; second < 200; second++) tally.accept(second * 1000, 5, 2);
    const [, , ...charts] = summary(tally, 200, 40).split('\n\n');
    expect(
      Math.max(
        ...charts
          .join('\n')
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(40);
  });

  it('handles an empty series', () => {
    expect(chart({ title: 'x', values: [], format: String }, 1000)).toContain('0 │');
    expect(sparkline([0, 4, 8], 5)).toBe(' ▄█  ');
  });
});

describe('readAnswer', () => {
  const read = (text: string) => readAnswer(Buffer.from(text));

  it('reads status, body and retry time once complete', () => {
    const text = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\ncontent-length: 4\r\n\r\n{"a"';
    expect(read(text.slice(0, -1))).toBeUndefined();
    expect(read(text.slice(0, 20))).toBeUndefined();
    expect(read(text)).toMatchObject({ status: 503, retryAfterMs: 2000, body: Buffer.from('{"a"'), ends: false });
    expect(read('HTTP/1.1 400 Bad\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')).toMatchObject({ ends: true });
  });

  it('rejects answers without a length', () =>
    expect(read('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')).toBe('unreadable'));
});

it('parses acknowledgments', () => {
  expect(answerOf('[{"success":true,"ticket":{}}]').accepted).toBe(true);
  expect(answerOf('[{"success":false,"code":"BETTING_CLOSED","message":"x"}]')).toMatchObject({
    accepted: false,
    code: 'BETTING_CLOSED',
    retryAfterMs: undefined,
  });
  expect(answerOf('[{"success":false,"code":"NOT_READY","message":"x","retryAfter":2}]')).toMatchObject({
    code: 'NOT_READY',
    retryAfterMs: 2_000,
  });
  expect(answerOf('[]')).toMatchObject({ accepted: false, code: 'UNKNOWN' });
});

describe('readOptions', () => {
  const read = (args: string, env: Record<string, string> = {}) => readOptions(args.split(' ').filter(Boolean), env);
  const errorOf = (args: string, env?: Record<string, string>): string => {
    try {
      read(args, env);
    } catch (error) {
      if (error instanceof BadOption) return error.message;
      throw error;
    }
    return 'fine';
  };

  it('has defaults', () =>
    expect(read('')).toMatchObject({
      url: 'http://localhost:3000',
      from: { kind: 'demo' },
      rate: 5,
      seconds: 60,
      over: 'http',
      connections: 256,
    }));

  it('reads all options', () =>
    expect(
      read('--players 50 --rate max --seconds 1.5 --games a,a,b --families triple --url https://x.test/ --lines 2'),
    ).toMatchObject({
      players: 50,
      connections: 50,
      rate: Infinity,
      seconds: 1.5,
      games: ['a', 'a', 'b'],
      families: ['triple'],
      url: 'https://x.test',
      lines: 2,
    }));

  it("reads the operator's password only from the environment", () => {
    expect(errorOf('--operator boss')).toContain('OPERATOR_PASSWORD');
    expect(read('--operator boss --retailer shop --credit 12.5', { OPERATOR_PASSWORD: 'secret' }).from).toEqual({
      kind: 'operator',
      username: 'boss',
      password: 'secret',
      retailer: 'shop',
      credit: 12.5,
      save: undefined,
    });
  });

  it.each([
    ['--players 0', '--players is a whole number from 1 to 100000; not "0".'],
    ['--players 1e3', '--players is a whole number from 1 to 100000; not "1e3".'],
    ['--rate -1', 'argument is ambiguous'],
    ['--rate fast', '--rate is a number above 0, up to 100000, or max; not "fast".'],
    ['--seconds 100000', '--seconds is a number above 0, up to 86400; not "100000".'],
    ['--over pigeon', '--over is http or socket.'],
    ['--over socket --players 5000', '--players is at most 4000 over sockets'],
    ['--over socket --connections 5', '--connections is for --over http'],
    ['--url localhost:3000', '--url is the address of a server'],
    ['--families dice', 'There is no family "dice": --families takes numbers'],
    ['--games ,', '--games names at least one'],
    ['--save file', '--save needs --operator'],
    ['--operator boss --credentials file', 'Use --credentials for existing players or --operator'],
    ['--speed 5', "Unknown option '--speed'."],
  ])('explains what is wrong with %s', (args, sentence) =>
    expect(errorOf(args, { OPERATOR_PASSWORD: 'x' })).toContain(sentence),
  );
});

describe('report', () => {
  it('shows due, accepted, refused and unsent bets within 80 columns', () => {
    const tally = new Tally();
    for (let n = 0; n < 90; n++) tally.accept(n * 100, 10 + n, 3);
    tally.refuse(9_000, 'LIMIT_REACHED');
    tally.skip(9_100, 'closed');
    const text = summary(tally, 10);
    expect(text).toMatch(/^due +92$/m);
    expect(text).toMatch(/^accepted +90 +9\.0\/s, 270 points$/m);
    expect(text).toMatch(/^ +LIMIT_REACHED +1$/m);
    expect(text).toMatch(/^p50 54\.\d +p95 9\d\.\d +p99 9\d\.\d +most 99\.0 ms/m);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(progress(tally, 10_000)).toBe('   10 s       0/s █████████        1 refused, 1 not sent (closed)');
    tally.skip(9_200, 'busy');
    expect(progress(tally, 10_000)).toContain('2 not sent');
    expect(progress(tally, 10_000)).not.toContain('closed');
  });
});
