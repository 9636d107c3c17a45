import { join } from 'node:path';
import { CELL_HEADER } from '@drawhouse/contract/core/route';
import { NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';
import { parseCheckpoint, originOf } from '@drawhouse/tlog/checkpoints';
import { parseBundle, parseTilePath, TILE_WIDTH, tileOfTree } from '@drawhouse/tlog/tiles';
import { formatLogProof } from '@drawhouse/tlog/log-proofs';
import { formatNoteKey } from '@drawhouse/tlog/note-keys';
import { parseNote } from '@drawhouse/tlog/signed-notes';
import { readInclusion } from '@drawhouse/tlog/tree-reader';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { nameNextCell } from '../../cells/other-cell.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { FOR_EVER } from '../../platform/http/serve-route.ts';
import type { SealsPlace } from '../seal/open-newest-log.ts';
import { openedDraw, placesOf } from '../read/draw-index.ts';
import { ifMissing, readTile } from '../seal/seal-files.ts';
import { verifierKey } from '../seal/seal-key.ts';
import { logsIn, readCheckpoint } from '../seal/seal-log.ts';
import { readState } from '../seal/seal-state.ts';
import { CosignatureRefused, readCosigned, coSign, withCosignatures, type LogFiles } from '../witness/co-sign.ts';
import type { Witness } from '../../config/outside-services.ts';
import { SEAL_TEXTS } from '../transparency-texts.ts';

/** Room for a checkpoint with many cosignatures, a few thousand bytes. */
const NOTE_BYTES = 16_384;
const TEXT = 'text/plain; charset=utf-8';

export interface ServedSeals {
  readonly place: SealsPlace;
  readonly witnesses: readonly Witness[];
}

/**
 * Serves `/seals` per C2SP tlog-tiles. Publishes hashes and checkpoints, never records. Accepts cosignatures of known
 * witnesses.
 */
export async function serveSeals(
  seals: ServedSeals,
  app: FastifyInstance,
  services: Pick<Services, 'directory'>,
): Promise<void> {
  app.addContentTypeParser(
    ['text/plain', 'application/octet-stream'],
    { parseAs: 'buffer', bodyLimit: NOTE_BYTES },
    (_request, body, done) => done(null, body),
  );
  const { witnesses } = seals;
  const nthOf = ({ params }: FastifyRequest): string | undefined => (params as { nth?: string }).nth;

  const logOf = async (request: FastifyRequest): Promise<LogFiles> => {
    const [log] = await logsOf(seals, nthOf(request));
    if (!log) throw new CallError('NOT_FOUND', { message: SEAL_TEXTS.noSeals });
    return log;
  };
  const send = (reply: FastifyReply, text: string): FastifyReply =>
    reply.header('cache-control', 'no-cache').type(TEXT).send(text);

  for (const prefix of ['/seals', '/seals/:nth']) {
    app.get(`${prefix}/checkpoint`, async (request, reply) =>
      send(reply, await newestOf(await logOf(request), witnesses)),
    );
    app.get(`${prefix}/opening`, async (request, reply) => {
      const drawId = String((request.query as Record<string, unknown>)['draw']);
      const proof = await findDrawProof(seals, drawId, (entry) => openedDraw(entry) === drawId, nthOf(request));
      if (proof !== undefined) return send(reply, proof);
      // The proof stays in the cell where the draw opened, even if its network has moved.
      await nameNextCell(services, request.headers[CELL_HEADER.toLowerCase()] as string | undefined);
      throw new CallError('NOT_FOUND', { message: SEAL_TEXTS.notSealed });
    });
    app.get(`${prefix}/key`, async (request, reply) => send(reply, `${formatNoteKey((await logOf(request)).key)}\n`));
    app.get(`${prefix}/tile/*`, async (request, reply) => sendTile(await logOf(request), request, reply));
    app.post(`${prefix}/cosign`, { bodyLimit: NOTE_BYTES }, async (request, reply) => {
      const log = await logOf(request);
      try {
        await coSign(log, witnesses, noteIn(request));
        return { success: true };
      } catch (error) {
        if (!(error instanceof CosignatureRefused)) throw error;
        const { message, why } = error;
        if (why === 'unknown') throw new CallError('NOT_ALLOWED', { message });
        if (why === 'malformed') throw new CallError('INVALID_INPUT', { message });
        return reply
          .status(409)
          .send({ success: false, code: 'OTHER_TREE', message, size: log.size, requestId: request.id });
      }
    });
  }
}

/** Throws INVALID_INPUT without a note, as for JSON, which Fastify has parsed already. */
function noteIn({ body }: FastifyRequest): Buffer {
  if (!Buffer.isBuffer(body))
    throw new CallError('INVALID_INPUT', {
      message: SEAL_TEXTS.wrongBody,
    });
  return body;
}

async function newestOf({ folder }: LogFiles, witnesses: readonly Witness[]): Promise<string> {
  const note = await readCheckpoint(folder);
  if (note === undefined) throw new CallError('NOT_FOUND', { message: SEAL_TEXTS.noCheckpoint });
  return withCosignatures(note, await readCosigned(folder, witnesses));
}

/** Searches the index. Returns a tlog-proof with the draw's entry as `extra`; undefined if missing. */
async function drawProofOf(
  { folder }: LogFiles,
  checkpoint: string,
  drawId: string,
  isIt: (entry: Uint8Array) => boolean,
): Promise<string | undefined> {
  const { size } = parseCheckpoint(parseNote(checkpoint).text);
  let [bundle, entries]: [number | undefined, readonly Uint8Array[]] = [undefined, []];
  for (const index of await placesOf(folder, drawId)) {
    if (index >= size) continue;
    if (Math.floor(index / TILE_WIDTH) !== bundle) {
      bundle = Math.floor(index / TILE_WIDTH);
      const bytes = await readTile(folder, tileOfTree(size, 'entries', bundle)!).catch(ifMissing(undefined));
      entries = bytes ? parseBundle(bytes) : [];
    }
    const entry = entries[index % TILE_WIDTH];
    if (!entry || !isIt(entry)) continue;
    const path = await readInclusion({ size, readTile: readTile.bind(null, folder) }, index, size);
    return formatLogProof({ index, path, checkpoint, extra: entry });
  }
  return undefined;
}

export async function findDrawProof(
  seals: ServedSeals,
  drawId: string,
  isIt: (entry: Uint8Array) => boolean,
  nth?: string,
): Promise<string | undefined> {
  for (const log of await logsOf(seals, nth)) {
    const proof = await drawProofOf(log, await newestOf(log, seals.witnesses), drawId, isIt);
    if (proof !== undefined) return proof;
  }
  return undefined;
}

async function logsOf({ place }: ServedSeals, nth?: string): Promise<LogFiles[]> {
  const nths = await logsIn(place.dir);
  const wanted = nth === undefined ? nths.toReversed() : nths.filter((one) => String(one) === nth);
  const logs = await Promise.all(
    wanted.map(async (one): Promise<LogFiles[]> => {
      const folder = join(place.dir, String(one));
      const state = await readState(folder);
      const origin = originOf(place.name, one);
      return state ? [{ folder, origin, key: verifierKey(origin, place.signer.publicKey), size: state.size }] : [];
    }),
  );
  return logs.flat();
}

async function sendTile(
  { folder, size }: LogFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const tile = parseTilePath(`tile/${(request.params as { '*': string })['*']}`);
  const published = await readCheckpoint(folder);
  const publishedSize = published === undefined ? 0 : parseCheckpoint(parseNote(published).text).size;
  const has = tile && tileOfTree(Math.min(publishedSize, size), tile.level, tile.index);
  if (!tile || tile.level === 'entries' || !has || has.width < tile.width)
    throw new CallError('NOT_FOUND', { message: SEAL_TEXTS.noTile });
  const bytes = await readTile(folder, tile).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new CallError('NOT_FOUND', { message: SEAL_TEXTS.noTile });
    throw error;
  });
  // The partial tile is a prefix of the longer one.
  const own = bytes.subarray(0, tile.width * NODE_BYTES);
  // The alias will point to another log, so only numbered URLs are immutable.
  const isForEver = 'nth' in (request.params as object);
  return reply
    .header('cache-control', isForEver ? FOR_EVER : 'no-cache')
    .type('application/octet-stream')
    .send(Buffer.from(own));
}
