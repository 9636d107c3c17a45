import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatCheckpoint, parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import { noteKey, parseNoteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import { cosignText, signText, verifyNote } from '@drawhouse/tlog/note-signatures';
import { newPrivateKey, signerOf, verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { formatNote, parseNote } from '@drawhouse/tlog/signed-notes';
import { tilePath, type Tile } from '@drawhouse/tlog/tiles';
import { readConsistency } from '@drawhouse/tlog/tree-reader';
import { isConsistent } from '@drawhouse/tlog/verify-proofs';
import { CELL_HEADER } from '@drawhouse/contract/core/route';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../../../test/harness.ts';
import { makeSealsPlace, sealAll, withNewestLog } from '../../../test/worlds/sealed-app.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Directory, Peer } from '../../platform/services.ts';
import { answerSeals, askSeals } from '../transparency.ts';
import { serveSeals } from './serve-seals.ts';

const witness = signerOf(newPrivateKey());
const WITNESS = noteKey('witness.example', SIGNATURE_TYPES.cosignature, witness.publicKey);

let t: TestApp;
let place: Awaited<ReturnType<typeof makeSealsPlace>>;
let served: FastifyInstance;

beforeAll(async () => {
  t = await TestApp.start();
  await t.network();
  place = await makeSealsPlace();
  await sealAll(t, place);
  served = fastify();
  served.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof CallError)) throw error;
    return reply.status(error.status).send(error.toBody('1'));
  });
  await serveSeals({ place, witnesses: [{ key: WITNESS, url: undefined }] }, served, {});
});
afterAll(async () => {
  await served.close();
  await t.close();
  await place.remove();
});

const get = (path: string) => served.inject({ url: `/seals/${path}` });
const cosign = (body: string) =>
  served.inject({ method: 'POST', url: '/seals/cosign', headers: { 'content-type': 'text/plain' }, body });

async function checkpointNow() {
  const note = parseNote((await get('checkpoint')).body);
  const key = parseNoteKey((await get('key')).body.trim())!;
  const signatures = await verifyNote(note, [key, WITNESS], verifyOnNode);
  return { note, ...parseCheckpoint(note.text), signatures };
}

async function grow(name: string): Promise<void> {
  await t.db.query("insert into pinned_settings (name, value) values ($1, 'x')", [name]);
  await withNewestLog(t, place, ({ look }) => look());
}

describe('served seals', () => {
  it('have checkpoints that extend each other', async () => {
    const before = await checkpointNow();
    await grow('one');
    const after = await checkpointNow();
    expect(after.size).toBe(before.size + 1);
    const readTile = async (tile: Tile): Promise<Uint8Array> => (await get(`1/${tilePath(tile)}`)).rawPayload;
    const path = await readConsistency({ size: after.size, readTile }, before.size, after.size);
    expect(isConsistent(before, after, path)).toBe(true);
  });

  it('serve hash tiles to everyone with immutable caching, but no records', async () => {
    const { size } = await checkpointNow();
    const tile = await get(`1/tile/0/000.p/${size}`);
    expect(tile.rawPayload).toHaveLength(size * 32);
    expect(tile.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const ofNewest = await get(`tile/0/000.p/${size}`);
    expect(ofNewest.rawPayload).toEqual(tile.rawPayload);
    expect(ofNewest.headers['cache-control']).toBe('no-cache');
    expect((await get(`1/tile/entries/000.p/${size}`)).statusCode).toBe(404);
  });

  it('contain nothing beyond published checkpoints', async () => {
    const { size } = await checkpointNow();
    for (const path of [
      `tile/0/000.p/${size + 1}`,
      'tile/0/000',
      'tile/0/001',
      'tile/0/../state.json',
      'tile/8/000',
      'tile/0/0',
      '2/checkpoint',
      '01/checkpoint',
      'x/checkpoint',
      'state.json',
    ])
      expect((await get(path)).statusCode, `at ${path}`).toBe(404);
  });

  it.each([
    ['checkpoint', 'text/plain; charset=utf-8', 'no-cache'],
    ['1/checkpoint', 'text/plain; charset=utf-8', 'no-cache'],
    ['key', 'text/plain; charset=utf-8', 'no-cache'],
    ['1/tile/0/000.p/SIZE', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['9/checkpoint', 'application/json; charset=utf-8', undefined],
  ])('describe %s and its cache lifetime', async (path, type, caching) => {
    const { size } = await checkpointNow();
    const { headers } = await get(path.replace('SIZE', String(size)));
    expect([headers['content-type'], headers['cache-control']]).toEqual([type, caching]);
  });

  it('are also served by log number', async () => {
    expect((await get('1/checkpoint')).body).toBe((await get('checkpoint')).body);
  });
});

describe('a cosignature', () => {
  const cosigned = (text: string, signer = witness, name = WITNESS.name, log = place.signer): string =>
    formatNote({
      text,
      signatures: [signText(text, text.split('\n')[0]!, log), cosignText(text, name, signer, 1_700_000_000)],
    });

  it('is stored and shown with its checkpoint if the witness is known', async () => {
    expect((await cosign(cosigned((await checkpointNow()).note.text))).statusCode).toBe(200);
    expect((await checkpointNow()).signatures.map(({ key }) => key.name)).toContain(WITNESS.name);
    await grow('two');
    expect((await checkpointNow()).signatures).toHaveLength(1);
  });

  it('does not replace a larger tree’s if its tree is smaller', async () => {
    const first = (await checkpointNow()).note.text;
    await grow('three');
    await cosign(cosigned((await checkpointNow()).note.text));
    await cosign(cosigned(first));
    expect((await checkpointNow()).signatures).toHaveLength(2);
  });

  it('is refused from an unknown witness, for another tree, or if malformed', async () => {
    const { note, size, root, origin } = await checkpointNow();
    const stranger = signerOf(newPrivateKey());
    expect((await cosign(cosigned(note.text, stranger))).statusCode).toBe(403);
    expect((await cosign(cosigned(note.text, stranger, 'stranger.example'))).statusCode).toBe(403);
    const other = [
      { origin, size, root: Buffer.alloc(32) },
      { origin, size: size + 1, root },
      { origin: 'other/seals/1', size, root },
    ];
    for (const checkpoint of other) expect((await cosign(cosigned(formatCheckpoint(checkpoint)))).statusCode).toBe(409);
    expect((await cosign(cosigned(note.text, witness, WITNESS.name, stranger))).statusCode).toBe(409);
    expect((await cosign('nothing')).statusCode).toBe(400);
    const without = { method: 'POST', url: '/seals/cosign' } as const;
    expect((await served.inject(without)).statusCode).toBe(400);
    expect((await served.inject({ ...without, payload: { note: 'of JSON' } })).statusCode).toBe(400);
    expect((await cosign(`${note.text}\n`)).statusCode).toBe(400);
  });
});

it('continue from their own checkpoints, for the audit of a group', async () => {
  const { body } = await get('checkpoint');
  const seals = { served: { place, witnesses: [] } };
  const ask = (checkpoint: string) => askSeals((_peer, read) => answerSeals(seals, read)!, {} as Peer, checkpoint);
  expect(await ask(body)).toBe(true);
  const { note, origin, size } = await checkpointNow();
  const text = formatCheckpoint({ origin, size, root: new Uint8Array(32) });
  const signatures = [signText(text, origin, place.signer)];
  expect(await ask(formatNote({ ...note, text, signatures }))).toBe(false);
  expect(await ask(body.replaceAll('test/seals/1', 'other/seals/1'))).toBeNull();
});

it('an opening proof that is not here is sought in each cell of the group, once', async () => {
  const directory = { cell: 'cell-2', nextCell: () => Promise.resolve('cell-3') } as Directory;
  const ofCell = fastify();
  ofCell.setErrorHandler((error, _request, reply) => {
    const { status, cell } = error as CallError;
    return reply.status(status).send(cell);
  });
  await serveSeals({ place, witnesses: [] }, ofCell, { directory });
  const ask = (asked?: string) =>
    ofCell.inject({ url: '/seals/opening?draw=x', headers: asked === undefined ? {} : { [CELL_HEADER]: asked } });
  expect(await ask()).toMatchObject({ statusCode: 421, body: 'cell-3;from=cell-2' });
  expect(await ask('cell-2;from=cell-1')).toMatchObject({ statusCode: 421, body: 'cell-3;from=cell-1' });
  expect(await ask('cell-2;from=cell-3')).toMatchObject({ statusCode: 404 });
  await ofCell.close();
});

it('nothing is served before the first seal', async () => {
  const empty = await makeSealsPlace();
  const none = fastify();
  none.setErrorHandler((error, _request, reply) => reply.status((error as CallError).status).send());
  await serveSeals({ place: empty, witnesses: [] }, none, {});
  for (const path of ['checkpoint', 'key', 'tile/0/000'])
    expect((await none.inject({ url: `/seals/${path}` })).statusCode, `at ${path}`).toBe(404);
  await none.close();
  await rm(join(empty.dir), { recursive: true });
});
