const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** So many bytes as people read them: 2,345,678 → `2.3 MB`. */
export function sizeText(bytes: number): string {
  return bytes < 1e9 ? `${format.format(bytes / 1e6)} MB` : `${format.format(bytes / 1e9)} GB`;
}
