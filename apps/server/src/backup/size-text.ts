const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** 2,345,678 → `2.3 MB`. Less than a kilobyte counts as one. */
export function sizeText(bytes: number): string {
  if (bytes > 0 && bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${format.format(bytes / 1e6)} MB` : `${format.format(bytes / 1e9)} GB`;
}
