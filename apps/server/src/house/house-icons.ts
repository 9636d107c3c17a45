import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accentOf } from '@drawhouse/contract/house/accent';
import type { House } from '@drawhouse/contract/house/house';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { findImage } from '../games/catalogue/game-images.ts';
import type { Services } from '../platform/services.ts';
import type { HouseReader } from './house.routes.ts';

const MANIFEST = 'players.webmanifest';
const ICONS = ['players-icon-192.png', 'players-icon-512.png', 'players-icon-maskable.png'] as const;
/** Launchers cut off the rim of a maskable icon. */
const LOGO_SHARE = { plain: 0.84, maskable: 0.6 } as const;

/** Serves manifest and icons of players' pages. `root`: the built pages. */
export function serveHouseFiles(app: FastifyInstance, { db }: Services, house: HouseReader, root: string): void {
  if (!existsSync(join(root, MANIFEST))) return;
  const manifest = readFileSync(join(root, MANIFEST), 'utf8');
  app.get(`/players/${MANIFEST}`, async (_request, reply) => {
    reply.header('cache-control', 'no-cache').type('application/manifest+json');
    return dressManifest(manifest, await house.readForPage());
  });
  for (const name of ICONS) {
    const own = readFileSync(join(root, name));
    let last: { readonly looks: string; readonly icon: Promise<Buffer> } | undefined;
    app.get(`/players/${name}`, async (_request, reply) => {
      const { logo, color } = await house.readForPage();
      const looks = `${logo?.url} ${color}`;
      if (last?.looks !== looks) last = { looks, icon: dressIcon() };
      async function dressIcon(): Promise<Buffer> {
        const image = logo && (await findImage(db, logo.url.split('/').at(-1)!));
        if (image) return logoIcon(own, image, name.includes('maskable') ? 'maskable' : 'plain');
        return color === null ? own : coloredIcon(own, accentOf(color, 'light').accent);
      }
      // Without a database, the product's own icon; asks again next time.
      const icon = await last.icon.catch(() => void (last = undefined));
      return reply
        .header('cache-control', 'no-cache')
        .type('image/png')
        .send(icon ?? own);
    });
  }
}

export function dressManifest(manifest: string, { name, color }: Pick<House, 'name' | 'color'>): string {
  const own = JSON.parse(manifest) as object;
  const dressed = { ...own, name, short_name: name };
  return JSON.stringify(color === null ? dressed : { ...dressed, theme_color: accentOf(color, 'light').accent });
}

/** Red of the product's color. Its icons mix that color with white. */
const OWN_RED = 0x0b;
const WHITE = 255;

export async function coloredIcon(icon: Buffer, color: string): Promise<Buffer> {
  const { data, info } = await sharp(icon).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  for (let at = 0; at < data.length; at += 4) {
    const white = Math.max(0, (data[at]! - OWN_RED) / (WHITE - OWN_RED));
    for (const [nth, channel] of channels.entries()) data[at + nth] = Math.round(channel + (WHITE - channel) * white);
  }
  return sharp(data, { raw: info }).png().toBuffer();
}

export async function logoIcon(icon: Buffer, logo: Buffer, kind: keyof typeof LOGO_SHARE): Promise<Buffer> {
  const { width } = await sharp(icon).metadata();
  const inner = Math.round(width * LOGO_SHARE[kind]);
  const input = await sharp(logo).resize({ width: inner, height: inner, fit: 'inside' }).png().toBuffer();
  return sharp({ create: { width, height: width, channels: 3, background: '#fff' } })
    .composite([{ input }])
    .png()
    .toBuffer();
}
