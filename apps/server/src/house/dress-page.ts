import { accentOf, type Theme } from '@drawhouse/contract/house/accent';
import type { House, HouseInPage } from '@drawhouse/contract/house/house';

/** The help page alone shows longer lists. */
const FEW_LINES = 2;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign]!);

/** The first paint then has name, logo and color, and nothing moves afterwards. Only players' pages get the color. */
export function dressPage(html: string, house: House, entry: 'web' | 'players', nonce: string): string {
  const { name, logo, color } = house;
  const meta = escaped(JSON.stringify(entry === 'players' ? shownToPlayers(house) : shownToStaff(house)));
  const named = html.replaceAll('%HOUSE_NAME%', () => escaped(name)).replace('%HOUSE%', () => meta);
  if (entry === 'web') return named;
  const iconed = logo ? named.replace(ICON, `$1${LOGO_ICON}"`) : named;
  if (color === null) return iconed;
  return iconed
    .replace(OWN_FILL, `$1${accentOf(color, 'light').accent.slice(1)}`)
    .replace(/(<meta name="theme-color" content=")[^"]*/, `$1${accentOf(color, 'light').accent}`)
    .replace('</head>', `<style nonce="${nonce}">${styleOf(color)}</style></head>`);
}

const ICON = /(<link rel="icon" [^>]*?href=")[^"]*"/;
const OWN_FILL = /(<link rel="icon" [^>]*?fill='%23)0b5a56/;
const LOGO_ICON = '/players/players-icon-192.png';

/** Follows the built styles, so it wins. */
function styleOf(color: string): string {
  const rule = (selector: string, theme: Theme): string => {
    const { accent, strong, text, tint } = accentOf(color, theme);
    return `${selector}{--accent:${accent};--accent-strong:${strong};--accent-text:${text};--accent-tint:${tint};--focus:${accent}}`;
  };
  return rule(':root', 'light') + rule("[data-theme='dark']", 'dark');
}

function shownToStaff({ name, logo }: House): HouseInPage {
  return { name, ...(logo && { logo }) };
}

function shownToPlayers(house: House): HouseInPage {
  const { helpLine, ageNotice, terms, gamblingHelp } = house;
  return {
    ...shownToStaff(house),
    ...(helpLine && { helpLine }),
    ...(ageNotice && { ageNotice }),
    ...(terms && { hasTerms: true }),
    ...(gamblingHelp.length > 0 && gamblingHelp.length <= FEW_LINES && { gamblingHelp }),
  };
}
