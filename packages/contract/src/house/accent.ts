/** Backgrounds of players' pages (`apps/players/src/look.css`). */
const PAGES = {
  light: ['#faf6ef', '#ffffff', '#f4eee3'],
  dark: ['#14120e', '#1e1b16', '#191611'],
} as const;
const INK = { light: '#ffffff', dark: '#06110f' } as const;

/** WCAG 2.2 asks for 4.5; the rest absorbs rounding. */
const CONTRAST = 4.6;

export type Theme = keyof typeof PAGES;

export interface Accent {
  /** Buttons, links. */
  readonly accent: string;
  /** Pressed buttons. */
  readonly strong: string;
  /** Text on both. */
  readonly text: string;
  /** Background of chosen entries. */
  readonly tint: string;
}

type Rgb = readonly number[];

const channelsOf = (color: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
const hexOf = (channels: Rgb): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;

function mix(color: string, other: string, share: number): string {
  const to = channelsOf(other);
  return hexOf(channelsOf(color).map((value, at) => value + (to[at]! - value) * share));
}

/** Relative luminance (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

export function contrastOf(one: string, other: string): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

const STEPS = 50;

/**
 * Darkens the color for the light theme, or lightens it for the dark one, until text is readable (WCAG AA). Every color
 * is allowed.
 */
export function accentOf(color: string, theme: Theme): Accent {
  const away = theme === 'light' ? '#000000' : '#ffffff';
  const tint = mix(color, PAGES[theme][1], theme === 'light' ? 0.9 : 0.84);
  const isReadable = (accent: string): boolean =>
    [...PAGES[theme], tint, INK[theme]].every((beside) => contrastOf(accent, beside) >= CONTRAST);
  const shades = Array.from({ length: STEPS + 1 }, (_, step) => mix(color, away, step / STEPS));
  const accent = shades.find(isReadable) ?? away;
  return { accent, strong: mix(accent, away, 0.25), text: INK[theme], tint };
}
