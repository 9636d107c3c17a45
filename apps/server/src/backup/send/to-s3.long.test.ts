import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/processes/free-port.ts';
import { sampleBackup, type SampleBackup } from '../../../test/backups/sample-backup.ts';
import { startSwift, type SwiftServer } from '../../../test/processes/swift-server.ts';
import { transferWork } from '../../../test/backups/transfer-work.ts';
import type { S3Target } from '../../config/backup-settings.ts';
import { createArchive } from '../take/archive/archive.ts';
import { createTransferring } from './transfer-backup.ts';

let dir: string;
let server: SwiftServer;
let s3: S3Client;
let backup: SampleBackup;
const LARGE = 17 * 2 ** 20;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 's3-'));
  server = await startSwift(dir);
  s3 = new S3Client({
    endpoint: server.url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: server.accessKey.id, secretAccessKey: server.accessKey.secret },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  backup = await sampleBackup(path.join(dir, 'backups'), { sizes: { accounts: 1_000, tickets: LARGE } });
});
afterAll(async () => {
  s3.destroy();
  await server.stop();
  await rm(dir, { recursive: true, force: true });
});

async function newBucket(): Promise<string> {
  const Bucket = `backups-${createHash('sha256').update(String(buckets++)).digest('hex').slice(0, 6)}`;
  await s3.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}
let buckets = 0;

function send(bucket: string, change: Partial<S3Target> = {}, work = transferWork()) {
  const { url: endpoint, accessKey } = server;
  const target = { kind: 's3', bucket, prefix: 'drawhouse/', endpoint, region: 'us-east-1', accessKey } as const;
  return createTransferring({ ...target, ...change })!.send(backup.folder, `anna-${backup.name}.zip`, work);
}

async function keysOf(Bucket: string): Promise<string[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  return Contents.map(({ Key }) => Key!);
}
async function uploadsOf(Bucket: string): Promise<string[]> {
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
  return Uploads.map(({ Key }) => Key!).toSorted();
}

describe('a transfer to an S3 store', () => {
  it('uploads the archive, again if asked, and aborts leftovers of earlier ones', async () => {
    const Bucket = await newBucket();
    const left = ['anna', 'ben'].map((username) => `drawhouse/${username}-2026-01-02T03-04-05Z-abcdef.zip`);
    for (const Key of left) {
      const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: Buffer.alloc(10) }));
    }
    const Key = `drawhouse/anna-${backup.name}.zip`;
    for (const _time of [1, 2]) {
      const work = transferWork();
      const { bytes, where } = await send(Bucket, {}, work);
      expect(where).toBe(`s3://${Bucket}/${Key}`);
      expect(await keysOf(Bucket)).toEqual([Key]);
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      const arrived = await buffer(Body as Readable);
      expect(arrived.equals(await buffer(createArchive(backup.folder)))).toBe(true);
      expect(work.steps).toEqual([
        ['Sending', bytes],
        ['Checking the transferred archive', bytes],
      ]);
      expect(await uploadsOf(Bucket)).toEqual([left[1]]);
    }
  });

  it('leaves nothing when canceled', async () => {
    const Bucket = await newBucket();
    const stop = new AbortController();
    const progress = (_step: string, done: number): void => {
      if (done > 0) stop.abort(new Error('given up'));
    };
    await expect(send(Bucket, {}, { ...transferWork(stop.signal), progress })).rejects.toThrow('given up');
    expect(await keysOf(Bucket)).toEqual([]);
    await expect.poll(() => uploadsOf(Bucket)).toEqual([]);
  });
});

describe('a failed transfer to a store is explained without secrets:', () => {
  it.each<[string, Partial<S3Target>, string]>([
    ['with another secret', { accessKey: { id: 'test:tester', secret: 'sesame' } }, 'it rejects the access key'],
    ['with another key', { accessKey: { id: 'test:nobody', secret: 'sesame' } }, 'it rejects the access key'],
    ['into a bucket that is not there', { bucket: 'missing-bucket' }, 'there is no such bucket'],
    ['to a name that leads nowhere', { endpoint: 'http://nowhere.invalid' }, 'its name can’t be resolved'],
  ])('%s', async (_what, change, reason) => {
    const refused = send(await newBucket(), change);
    await expect(refused).rejects.toMatchObject({
      code: 'RULE_REFUSED',
      message: expect.stringMatching(`^The backup was not transferred to s3://[^@]+/anna-.*\\.zip: ${reason}`),
    });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringMatching('sesame') });
  });

  it('if nothing listens at the address', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    await expect(send(await newBucket(), { endpoint })).rejects.toThrow('it refuses connections');
  });
});

interface Changes {
  readonly headed?: Record<string, string>;
  readonly read?: string;
}

async function between(changes: Changes): Promise<{ port: number; asked: string[]; close(): void }> {
  const asked: string[] = [];
  const { hostname, port } = new URL(server.url);
  const proxy = createServer((near, answer) => {
    asked.push(near.method!);
    const far = request({ hostname, port, path: near.url, method: near.method, headers: near.headers });
    far.on('response', (response: IncomingMessage) => {
      const isHead = near.method === 'HEAD';
      if (near.method === 'GET' && changes.read !== undefined && !near.url!.includes('uploads')) {
        answer.writeHead(200, { 'content-length': changes.read.length }).end(changes.read);
        response.resume();
        return;
      }
      answer.writeHead(response.statusCode!, { ...response.headers, ...(isHead && changes.headed) });
      response.pipe(answer);
    });
    near.pipe(far);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    asked,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

function sha256OfParts(content: Buffer): string {
  const hash = createHash('sha256');
  const parts = Math.ceil(content.length / 2 ** 24);
  for (let i = 0; i < parts; i++)
    hash.update(
      createHash('sha256')
        .update(content.subarray(i * 2 ** 24, (i + 1) * 2 ** 24))
        .digest(),
    );
  return `${hash.digest('base64')}-${parts}`;
}

describe('an upload', () => {
  const through = ({ port }: { port: number }) => ({ endpoint: `http://127.0.0.1:${port}` });

  it('is not read back if the store reports its content', async () => {
    const Bucket = await newBucket();
    const content = await buffer(createArchive(backup.folder));
    const proxy = await between({ headed: { 'x-amz-checksum-sha256': sha256OfParts(content) } });
    try {
      await send(Bucket, through(proxy));
      expect(proxy.asked.filter((method) => method === 'GET')).toHaveLength(1);
      expect(await keysOf(Bucket)).toHaveLength(1);
    } finally {
      proxy.close();
    }
  });

  it.each<[string, Changes]>([
    ['of another checksum', { headed: { 'x-amz-checksum-sha256': `${'A'.repeat(43)}=-2` } }],
    ['of another size', { headed: { 'content-length': '3' } }],
    ['of another content', { read: 'something else' }],
  ])('is removed if %s', async (_what, changes) => {
    const Bucket = await newBucket();
    const proxy = await between(changes);
    try {
      await expect(send(Bucket, through(proxy))).rejects.toThrow('the transferred archive is damaged and was removed');
      expect(await keysOf(Bucket)).toEqual([]);
    } finally {
      proxy.close();
    }
  });
});
