import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { requireSwift } from '../../../../tools/testing/transfer-servers.ts';
import { startChild } from './child-server.ts';
import { freePort } from './free-port.ts';

/** OpenStack Swift with S3 API, on loopback. Stores no SHA-256. */
export interface SwiftServer {
  readonly url: string;
  readonly accessKey: { readonly id: string; readonly secret: string };
  stop(): Promise<void>;
}

const run = promisify(execFile);
const [ACCOUNT, USER, SECRET] = ['test', 'tester', 'te/st+ing'];

export async function startSwift(dir: string): Promise<SwiftServer> {
  const { ringBuilder, servers } = requireSwift();
  await mkdir(path.join(dir, 'node', 'disk'), { recursive: true });
  const common = (port: number): string[] => [
    '[DEFAULT]',
    `bind_ip = 127.0.0.1`,
    `bind_port = ${port}`,
    'workers = 0',
    `user = ${userInfo().username}`,
    `swift_dir = ${dir}`,
    `devices = ${path.join(dir, 'node')}`,
    'mount_check = false',
    'fallocate_reserve = 0',
    'log_address = /dev/null',
  ];
  const parts = await Promise.all(
    (['account', 'container', 'object'] as const).map(async (part) => {
      const port = await freePort();
      const builder = path.join(dir, `${part}.builder`);
      await run(ringBuilder, [builder, 'create', '0', '1', '1']);
      await run(ringBuilder, [builder, 'add', `r1z1-127.0.0.1:${port}/disk`, '1']);
      await run(ringBuilder, [builder, 'rebalance']);
      return { part, port, lines: ['[pipeline:main]', `pipeline = ${part}-server`, ...app(part)] };
    }),
  );
  const proxy = {
    part: 'proxy' as const,
    port: await freePort(),
    lines: [
      '[pipeline:main]',
      'pipeline = catch_errors memcache listing_formats s3api tempauth slo proxy-server',
      ...app('proxy'),
      'account_autocreate = true',
      ...['catch_errors', 'listing_formats', 'slo'].flatMap((name) => filter(name)),
      ...filter('memcache'),
      'memcache_servers = 127.0.0.1:1',
      ...filter('tempauth'),
      `user_${ACCOUNT}_${USER} = ${SECRET} .admin`,
      ...filter('s3api'),
      'min_segment_size = 1',
    ],
  };
  const starting = await Promise.allSettled(
    [...parts, proxy].map(async ({ part, port, lines }) => {
      const file = path.join(dir, `${part}.conf`);
      await writeFile(file, `${[...common(port), ...lines].join('\n')}\n`);
      return startChild(servers[part], [file], port);
    }),
  );
  const stop = async (): Promise<void> => {
    for (const one of starting) if (one.status === 'fulfilled') await one.value.stop();
  };
  const failed = starting.find((one) => one.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    accessKey: { id: `${ACCOUNT}:${USER}`, secret: SECRET },
    stop,
  };
}

function filter(name: string): string[] {
  return [`[filter:${name}]`, `use = egg:swift#${name}`];
}

function app(part: string): string[] {
  return [`[app:${part}-server]`, `use = egg:swift#${part}`];
}
