import { IMAGE_LIMITS } from '@drawhouse/contract/games/game-catalogue';
import { formatCount } from '../format/format.ts';
import { imageTexts } from '../libTexts.ts';

export interface ImageOfForm {
  readonly url: string;
  readonly file?: Blob;
}

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'];
export const IMAGE_HINT = imageTexts.hint;

const SMALL_BYTES = 100_000;

export type ReadImage = { readonly image: ImageOfForm } | { readonly wrong: string };

/**
 * Validates as the server does and scales down to the stored size, so that a hundred images upload in seconds on a slow
 * line.
 */
export async function readImage(file: File): Promise<ReadImage> {
  if (!IMAGE_TYPES.includes(file.type)) return { wrong: imageTexts.wrongType };
  if (file.size > IMAGE_LIMITS.bytes) return { wrong: imageTexts.tooManyBytes };
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return { wrong: imageTexts.damaged };
  }
  try {
    const { width, height } = bitmap;
    if (Math.max(width, height) > IMAGE_LIMITS.pixels)
      return {
        wrong: imageTexts.tooManyPixels(formatCount(width), formatCount(height)),
      };
    const small = file.size <= SMALL_BYTES ? null : await shrunk(bitmap);
    const sent = small ?? file;
    return { image: { file: sent, url: URL.createObjectURL(sent) } };
  } finally {
    bitmap.close();
  }
}

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
