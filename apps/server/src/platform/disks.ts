import { stat, statfs } from 'node:fs/promises';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';

/** Folders by setting name. Sizes in bytes. */
export interface DiskRoom {
  readonly folders: readonly string[];
  readonly free: number;
  readonly size: number;
}

export type ReadDisk = (path: string) => Promise<{ device: number; free: number; size: number }>;

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const LEAST_FREE_BYTES = 2 * GIB;
const LEAST_FREE_SHARE = 0.1;

const sizeFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const shareFormat = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

export const readDisk: ReadDisk = async (path) => {
  const [{ dev }, { bavail, bsize, blocks }] = await Promise.all([stat(path), statfs(path)]);
  return { device: dev, free: bavail * bsize, size: blocks * bsize };
};

export async function readDisks(
  folders: Readonly<Record<string, string>>,
  read: ReadDisk = readDisk,
): Promise<DiskRoom[]> {
  const found = await Promise.all(
    Object.entries(folders).map(async ([name, path]) => {
      const disk = await read(path).catch(() => undefined);
      return disk ? [{ name, ...disk }] : [];
    }),
  );
  const byDevice = Map.groupBy(found.flat(), ({ device }) => device);
  return [...byDevice.values()].map((on) => ({
    folders: on.map(({ name }) => name),
    free: on[0]!.free,
    size: on[0]!.size,
  }));
}

/** Less than 2 GiB or a tenth free. */
export function isNearlyFull({ free, size }: Pick<DiskRoom, 'free' | 'size'>): boolean {
  return free < LEAST_FREE_BYTES || free < size * LEAST_FREE_SHARE;
}

export function diskNotices(disks: readonly DiskRoom[]): FoundNotice[] {
  return disks.filter(isNearlyFull).map(({ folders, free, size }) => ({
    code: 'DISK_NEARLY_FULL',
    about: folders.join(', '),
    detail: `${roomText(free)} of ${roomText(size)} free, ${shareFormat.format(free / size)}.`,
  }));
}

export function roomText(bytes: number): string {
  return bytes < GIB ? `${sizeFormat.format(bytes / MIB)} MiB` : `${sizeFormat.format(bytes / GIB)} GiB`;
}
