import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fairDraw, playerState } from '@drawhouse/contract/draws/draws';
import { CELL_HEADER } from '@drawhouse/contract/core/route';
import type { PublishedDraw } from '@drawhouse/rules/fair/fair';
import { formatNoteKey } from '@drawhouse/tlog/note-keys';
import { parseLogProof } from '@drawhouse/tlog/log-proofs';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifierKey } from '../../src/transparency/seal/seal-key.ts';
import { serveSeals } from '../../src/transparency/prove/serve-seals.ts';
import { TestApp, type Network } from '../harness.ts';
import { makeSealsPlace, sealAll } from '../worlds/sealed-app.ts';

const TOOL = fileURLToPath(new URL('../../../../tools/check-draw.ts', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../../../../docs/check_draw.py', import.meta.url));

let t: TestApp;
let net: Network;
let place: Awaited<ReturnType<typeof makeSealsPlace>>;
let served: FastifyInstance;
let url: string;
let drawId: string;
let published: PublishedDraw;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 500 });
  place = await makeSealsPlace();
  served = fastify();
  await serveSeals({ place, witnesses: [] }, served, {});
  served.get('/api/fair/draw/:id', () => published);
  url = await served.listen({ port: 0, host: '127.0.0.1' });

  await t.bet(net.user, { 3: 1 });
  const { draw } = await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user);
  drawId = draw!._id;
  await sealAll(t, place);
  await t.finishDraw();
  published = (await t.ok(fairDraw, { params: { drawId } })) as unknown as PublishedDraw;
});
afterAll(async () => {
  await served.close();
  await place.remove();
  await t.close();
});

const byTool = (...args: string[]) => byToolAt(url, ...args);
const byScript = () => byScriptAt(url);

async function byToolAt(base: string, ...args: string[]): Promise<[status: number | null, output: string]> {
  const child = spawn(process.execPath, [TOOL, ...args, `${base}/fair/${drawId}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await once(child, 'close')) as [number | null];
  return [status, (await outputs).join('')];
}

async function byScriptAt(base: string): Promise<string | undefined> {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  return promisify(execFile)('python3', [SCRIPT, `${base}/fair/${drawId}`], { env }).then(
    ({ stdout }) => stdout,
    (error: { code?: unknown; stdout?: string }) => (error.code === 'ENOENT' ? undefined : error.stdout),
  );
}

function withOtherSeed(): PublishedDraw {
  const seed = '5a'.repeat(32);
  const commitment = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex');
  return { ...published, seed, commitment };
}

describe('checking a draw by address', () => {
  it('proves that the draw opened with its commitment', async () => {
    const key = formatNoteKey(verifierKey('test/seals/1', place.signer.publicKey));
    const [status, output] = await byTool('--seal-key', key);
    expect(output).toMatch(/^OK: the draw opened with this commitment \(record \d+ of test\/seals\/1, signed by test/m);
    expect(status).toBe(0);
    expect((await byScript()) ?? 'its opening is sealed').toContain('its opening is sealed');
  });

  it('finds the draw, its proof and the key in another cell of a group', async () => {
    const toSecond = 'cell-2;from=cell-1';
    const common = fastify();
    common.addHook('onRequest', async (request, reply) => {
      if (request.headers[CELL_HEADER.toLowerCase()] === toSecond) return;
      const isKey = request.url.endsWith('/key');
      await reply
        .status(isKey ? 404 : 421)
        .header(CELL_HEADER, toSecond)
        .send('Elsewhere.');
    });
    await serveSeals({ place, witnesses: [] }, common, {});
    common.get('/api/fair/draw/:id', () => published);
    try {
      const base = await common.listen({ port: 0, host: '127.0.0.1' });
      const [status, output] = await byToolAt(base);
      expect(output).toMatch(/^OK: the draw opened with this commitment/m);
      expect(status).toBe(0);
      expect((await byScriptAt(base)) ?? 'its opening is sealed').toContain('its opening is sealed');
    } finally {
      await common.close();
    }
  });

  it('detects a seed exchanged along with its commitment', async () => {
    const before = published;
    published = withOtherSeed();
    const [status, output] = await byTool();
    const script = await byScript();
    published = before;
    expect(output).toContain(
      `PROBLEM: The seed was exchanged: the draw opened with the commitment ${before.commitment}`,
    );
    expect(status).toBe(1);
    expect(script ?? 'the seed was replaced').toContain('the seed was replaced');
  });

  it('detects a proof signed by another key', async () => {
    const other = await makeSealsPlace();
    const key = formatNoteKey(verifierKey('test/seals/1', other.signer.publicKey));
    const [status, output] = await byTool('--seal-key', key);
    await other.remove();
    expect(output).toContain('PROBLEM: The proof of its opening is not valid');
    expect(status).toBe(1);
  });
});

describe('an opening proof', () => {
  const get = (path: string) => served.inject({ url: `/seals/${path}` });

  it('contains the record with the commitment, also in an earlier log', async () => {
    const proof = parseLogProof((await get(`opening?draw=${drawId}`)).body);
    expect(Buffer.from(proof.extra!).toString()).toContain(published.commitment);
    expect((await get(`1/opening?draw=${drawId}`)).statusCode).toBe(200);
  });

  it('is missing for unknown draws and other records', async () => {
    for (const draw of [net.user._id, 'x', '../1', ''])
      expect((await get(`opening?draw=${draw}`)).statusCode).toBe(404);
    expect((await get('opening')).statusCode).toBe(404);
  });
});
