import { createHash } from 'node:crypto';
import { imageAddress, LABELLED_DIGITS_MAX, IMAGE_LIMITS } from '@drawhouse/contract/games/game-catalogue';
import sharp from 'sharp';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { GAME_TEXTS } from '../games-texts.ts';

/** Keys: `logo`, `image`, `images.0` upward. */
export type ImageFiles = ReadonlyMap<string, DecodedImage>;

/** Cleanup must never drop an image just assigned. */
const ONE_AT_A_TIME = sql`select pg_advisory_xact_lock(738215004)`;

/** Returns images by position. Labelled games need one per digit, others none. */
export function imagesAfter(
  game: { readonly labelled: boolean; readonly digits: number },
  present: readonly Buffer[],
  files: ImageFiles,
): Buffer[] {
  const sent = [...files].flatMap(([name, { hash }]) =>
    name.startsWith('images.') ? [[Number(name.slice('images.'.length)), hash] as const] : [],
  );
  if (!game.labelled) {
    if (sent.length > 0) throw wrong('images', GAME_TEXTS.imagesNeedLabel);
    return [];
  }
  if (game.digits > LABELLED_DIGITS_MAX)
    throw wrong('label', GAME_TEXTS.tooManyImages(LABELLED_DIGITS_MAX, game.digits));
  const after = new Map([...present.entries(), ...sent]);
  const missing = Array.from({ length: game.digits }, (_, index) => index).filter((index) => !after.has(index));
  const beyond = sent.filter(([index]) => index >= game.digits).length;
  if (missing.length > 0 || beyond > 0) {
    const there = game.digits - missing.length + beyond;
    throw wrong('images', GAME_TEXTS.wrongImageCount(game.digits, there));
  }
  return Array.from({ length: game.digits }, (_, index) => after.get(index)!);
}

function wrong(field: string, message: string): CallError {
  return new CallError('INVALID_INPUT', { fields: { [field]: message } });
}

export async function keepImages(
  tx: Tx,
  files: ReadonlyMap<string, Pick<DecodedImage, 'hash' | 'content'>>,
): Promise<void> {
  if (files.size === 0) return;
  await tx.query(ONE_AT_A_TIME);
  for (const { hash, content } of files.values())
    await tx.query(sql`insert into images (hash, content) values (${hash}, ${content}) on conflict do nothing`);
}

export async function setOutcomeImages(tx: Tx, gameId: string, hashes: readonly Buffer[]): Promise<void> {
  const hex = hashes.map((hash) => hash.toString('hex'));
  const wanted = sql`select nth - 1, decode(hash, 'hex') from unnest(${hex}::text[]) with ordinality as image (hash, nth)`;
  await tx.query(sql`delete from game_images where game_id = ${gameId} and (position, hash) not in (${wanted})`);
  await tx.query(
    sql`insert into game_images (game_id, position, hash) select ${gameId}::uuid, w.* from (${wanted}) as w on conflict do nothing`,
  );
}

export async function dropUnusedImages(tx: Tx, hashes: readonly Buffer[]): Promise<void> {
  if (hashes.length === 0) return;
  await tx.query(ONE_AT_A_TIME);
  await tx.query(
    sql`delete from images i where i.hash = any(select decode(hash, 'hex')
      from unnest(${hashes.map((hash) => hash.toString('hex'))}::text[]) as hash)
       and not exists (select from game_images o where o.hash = i.hash)
       and not exists (select from games g where g.logo = i.hash or g.image = i.hash)
       and not exists (select from house_settings h where h.logo = i.hash)`,
  );
}

export async function findImage(on: Queryable, hash: string): Promise<Buffer | undefined> {
  const [row] = await on.query<{ content: Buffer }>(
    sql`select content from images where hash = decode(${hash}, 'hex')`.named('image'),
  );
  return row?.content;
}

export async function outcomeImages(on: Queryable, gameId: string): Promise<string[]> {
  const rows = await on.query<{ hash: string }>(
    sql`select encode(hash, 'hex') as hash from game_images where game_id = ${gameId} order by position`.named(
      'outcome-images',
    ),
  );
  return rows.map(({ hash }) => imageAddress(hash));
}

export async function allOutcomeImages(on: Queryable): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await on.query<{ game_id: string; hashes: string[] }>(
    sql`select game_id, array_agg(encode(hash, 'hex') order by position) as hashes from game_images group by game_id`.named(
      'all-outcome-images',
    ),
  );
  return new Map(rows.map(({ game_id, hashes }) => [game_id, hashes.map((hash) => imageAddress(hash))]));
}

// Only these three formats reach a decoder, whatever the file claims: no SVG, GIF or PDF.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
// One thread per image.
sharp.cache(false);
sharp.concurrency(1);

const DECODE_SECONDS = 10;
const QUALITY = 86;

interface DecodedImage {
  readonly hash: Buffer;
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Re-encodes upright, without metadata, within {@link IMAGE_LIMITS}.edge. One at a time, since 4,000 × 4,000 pixels
 * take 64 MB; skips canceled senders.
 */
export function decodeImage(content: Buffer, isCanceled: () => boolean): Promise<DecodedImage> {
  const decoded = last.then(() => {
    if (isCanceled()) throw refused(GAME_TEXTS.canceled);
    return decode(content);
  });
  last = decoded.catch(() => {});
  return decoded;
}

async function decode(content: Buffer): Promise<DecodedImage> {
  const { pixels, edge } = IMAGE_LIMITS;
  const sent = await measuresOf(content);
  if (sent.width > pixels || sent.height > pixels) {
    throw refused(GAME_TEXTS.imageTooLarge(sent.width, sent.height));
  }
  const { data: written, info } = await sharp(content, {
    limitInputPixels: pixels * pixels,
    failOn: 'error',
    sequentialRead: true,
  })
    .autoOrient()
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .timeout({ seconds: DECODE_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw refused(GAME_TEXTS.imageDamaged);
    });
  return {
    hash: createHash('sha256').update(written).digest(),
    content: written,
    width: info.width,
    height: info.height,
  };
}

async function measuresOf(content: Buffer): Promise<{ width: number; height: number }> {
  try {
    return await sharp(content, { limitInputPixels: false }).metadata();
  } catch {
    throw refused(GAME_TEXTS.notImage);
  }
}

function refused(message: string): CallError {
  return new CallError('INVALID_INPUT', { message });
}
