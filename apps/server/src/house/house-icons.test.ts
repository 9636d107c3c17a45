import sharp from 'sharp';
import { expect, it } from 'vitest';
import { coloredIcon, dressManifest, logoIcon } from './house-icons.ts';

const SIZE = 48;

function ownIcon(): Promise<Buffer> {
  const dot = { create: { width: 8, height: 8, channels: 3 as const, background: '#fff' } };
  return sharp({ create: { width: SIZE, height: SIZE, channels: 4, background: '#0b5a56' } })
    .composite([{ input: dot }])
    .png()
    .toBuffer();
}

async function colorsOf(icon: Buffer, ...places: readonly (readonly [x: number, y: number])[]): Promise<string[]> {
  const { data, info } = await sharp(icon).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([SIZE, SIZE]);
  return places.map(([x, y]) => data.subarray((y * SIZE + x) * 3, (y * SIZE + x) * 3 + 3).toString('hex'));
}

it('colors the icon of the product and leaves its mark white', async () => {
  expect(await colorsOf(await coloredIcon(await ownIcon(), '#aa3300'), [2, 2], [24, 24])).toEqual(['aa3300', 'ffffff']);
});

it('puts a logo of any shape into the middle of a white icon', async () => {
  const logo = await sharp({ create: { width: 90, height: 20, channels: 3, background: '#0000ff' } })
    .webp({ lossless: true })
    .toBuffer();
  for (const [kind, rim] of [
    ['plain', 3],
    ['maskable', 9],
  ] as const)
    expect(await colorsOf(await logoIcon(await ownIcon(), logo, kind), [rim, 24], [24, 24], [24, 5])).toEqual([
      'ffffff',
      '0000ff',
      'ffffff',
    ]);
});

it('names the house in the web manifest, with its color if it has one', () => {
  const manifest = JSON.stringify({ name: 'Drawhouse', short_name: 'Drawhouse', theme_color: '#0b5a56', scope: '/' });
  const dressed = (color: string | null): unknown => JSON.parse(dressManifest(manifest, { name: 'Lucky Star', color }));
  expect(dressed(null)).toEqual({ name: 'Lucky Star', short_name: 'Lucky Star', theme_color: '#0b5a56', scope: '/' });
  expect(dressed('#ffdd00')).toMatchObject({ theme_color: expect.stringMatching(/^#(?!0b5a56)[0-9a-f]{6}$/) });
});
