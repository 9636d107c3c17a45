import { IMAGE_LIMITS } from '@drawhouse/contract/games/game-catalogue';
import { formatCount } from '../../lib/format.ts';
import type { ImageOfForm } from './gameForm.ts';

/** The kinds of files that are taken. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'];
/** What an image may be, in a sentence beside its input. */
export const IMAGE_HINT = 'JPEG, PNG or WebP, at most 2 MB and 4,000 × 4,000 pixels each.';

/** Smaller files are sent as they are. */
const SMALL_BYTES = 100_000;

/** What reading a file gives: the picture, or what is wrong with it. */
export type ReadImage = { readonly image: ImageOfForm } | { readonly wrong: string };

/**
 * Reads a file that was chosen: says at once what the server would, and makes it as small as it is kept, so that a hundred of them are
 * sent in seconds over a slow line.
 */
export async function readImage(file: File): Promise<ReadImage> {
  if (!IMAGE_TYPES.includes(file.type)) return { wrong: 'Choose a JPEG, PNG or WebP image' };
  if (file.size > IMAGE_LIMITS.bytes) return { wrong: 'An image may have at most 2 MB' };
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return { wrong: 'This image can’t be read' };
  }
  try {
    const { width, height } = bitmap;
    if (Math.max(width, height) > IMAGE_LIMITS.pixels)
      return {
        wrong: `At most 4,000 × 4,000 pixels: this one has ${formatCount(width)} × ${formatCount(height)}`,
      };
    const small = file.size <= SMALL_BYTES ? null : await shrunk(bitmap);
    const sent = small ?? file;
    return { image: { file: sent, url: URL.createObjectURL(sent) } };
  } finally {
    bitmap.close();
  }
}

/** The picture at the size in which it is kept; null where the browser can't write it. */
async function shrunk(bitmap: ImageBitmap): Promise<Blob | null> {
  const scale = Math.min(1, IMAGE_LIMITS.edge / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height].map((size) =>
    Math.max(1, Math.round(size * scale)),
  ) as [number, number];
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 0.95));
}
