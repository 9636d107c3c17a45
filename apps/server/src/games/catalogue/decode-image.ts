import { createHash } from 'node:crypto';
import { IMAGE_LIMITS } from '@drawhouse/contract/games/game-catalogue';
import sharp from 'sharp';
import { CallError } from '../../platform/http/http-errors.ts';
import { GAME_TEXTS } from '../games-texts.ts';

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

export interface DecodedImage {
  readonly hash: Buffer;
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Re-encodes upright, without metadata, within {@link IMAGE_LIMITS}.edge. One at a time, since 4,000 × 4,000 pixels
 * take 64 MB; skips canceled senders. Throws INVALID_INPUT.
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
