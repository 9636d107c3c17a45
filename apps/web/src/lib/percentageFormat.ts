const shareFormat = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const returnFormat = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const meanFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** No-break space before the percent sign. */
const apart = (text: string): string => text.replace('%', '\u{a0}%');

/** 0.947 → `94.7 %`. */
export function formatShare(fraction: number): string {
  return apart(shareFormat.format(fraction));
}

/** 0.955 → `95.50 %`. */
export function formatReturn(fraction: number): string {
  return apart(returnFormat.format(fraction));
}

/** `1.061`. */
export function formatMean(mean: number): string {
  return meanFormat.format(mean);
}
