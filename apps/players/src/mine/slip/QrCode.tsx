import { encode } from 'uqr';

/** Light modules around a code, without which it can't be read. */
const QUIET = 4;

/** A QR code of a text, in black on white whatever the theme, with the quiet zone that readers need. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string | undefined }) {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="M0 0h${size}v${size}H0z" fill="#fff"/><path d="${dark}"/></svg>`;
  return <img className={className} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={label} />;
}
