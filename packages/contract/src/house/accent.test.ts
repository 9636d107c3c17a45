import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { accentOf, contrastOf, type Theme } from './accent.ts';

const LOOK = readFileSync(new URL('../../../../apps/players/src/look.css', import.meta.url), 'utf8');
const [LIGHT, DARK] = LOOK.split("[data-theme='dark']") as [string, string];

function pagesOf(theme: Theme): string[] {
  return ['page', 'surface', 'surface-sunken'].map(
    (name) => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(theme === 'light' ? LIGHT : DARK)![1]!,
  );
}

const colors = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

it.each(['light', 'dark'] as const)('makes any color readable on all backgrounds of the %s theme', (theme) => {
  fc.assert(
    fc.property(colors, (color) => {
      const { accent, strong, text, tint } = accentOf(color, theme);
      for (const background of [...pagesOf(theme), tint])
        expect(contrastOf(accent, background), `${color} on ${background}`).toBeGreaterThanOrEqual(4.5);
      for (const button of [accent, strong])
        expect(contrastOf(button, text), `${color} under ${text}`).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 2_000, examples: [['#000000'], ['#ffffff'], ['#ffff00'], ['#0000ff']] },
  );
});

it('keeps a color that is already readable', () => {
  expect(accentOf('#0b5a56', 'light').accent).toBe('#0b5a56');
  expect(accentOf('#6fc7bf', 'dark').accent).toBe('#6fc7bf');
});

it('measures contrast as WCAG does', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
