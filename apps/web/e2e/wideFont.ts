import { expect, type Page } from '@playwright/test';

const SAMPLE = 'Last tickets of a player 0123456789 Sphinx of black quartz judge my vow';

/**
 * The replaced CSS stack, its first family, and the target width of {@link SAMPLE} in em. DejaVu Sans sets the target:
 * 15 % wider than Arial, Helvetica and Liberation, 20 % in bold. The players' stack applies if the back-office lacks
 * the font.
 */
const FACES = [
  { family: 'Segoe UI', stack: '--mantine-font-family, var(--font)', weight: 400, weights: '1 500', em: 37.1 },
  { family: 'Segoe UI', stack: '--mantine-font-family, var(--font)', weight: 700, weights: '501 1000', em: 41.3 },
  {
    family: 'SFMono-Regular',
    stack: '--mantine-font-family-monospace, var(--font-mono)',
    weight: 400,
    weights: '1 500',
    em: 49,
  },
  {
    family: 'SFMono-Regular',
    stack: '--mantine-font-family-monospace, var(--font-mono)',
    weight: 700,
    weights: '501 1000',
    em: 49,
  },
] as const;

const SHOW = `(() => ${JSON.stringify(FACES)}.map(({ stack, weight }) => {
  const shown = document.body.appendChild(document.createElement('span'));
  shown.dataset.sample = '';
  shown.style.cssText = 'position:fixed;left:0;top:0;visibility:hidden;white-space:pre;font:' + weight + ' 100px var(' + stack + ')';
  shown.textContent = ${JSON.stringify(SAMPLE)};
  return shown.getBoundingClientRect().width / 100;
}))()`;
const REMOVE = `document.querySelectorAll('[data-sample]').forEach((shown) => shown.remove())`;

/** Local font and scale factor per face. */
type Made = readonly { readonly of: string; readonly percent: number }[];

/** Keyed by original widths, because back-office and players' fonts differ. */
const madeFor = new Map<string, Made>();

async function make(page: Page, ems: readonly number[]): Promise<Made> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeIds } = await devtools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: '[data-sample]' });
  const faces = nodeIds.map(async (nodeId, index) => {
    const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
    return { of: fonts[0]!.postScriptName, percent: (100 * FACES[index]!.em) / ems[index]! };
  });
  const found = await Promise.all(faces);
  await devtools.detach();
  return found;
}

const PUT_ON = (
  faces: Made,
): string => `Promise.all(${JSON.stringify(FACES)}.map(async ({ family, weights }, index) => {
  const { of, percent } = ${JSON.stringify(faces)}[index];
  const face = new FontFace(family, 'local("' + of + '")', { weight: weights, sizeAdjust: percent.toFixed(2) + '%' });
  document.fonts.add(await face.load());
}))`;

/**
 * Lasts until a reload or until the returned function runs. Scales local fonts, so that all machines see equal widths.
 */
export async function wearWideFont(page: Page): Promise<() => Promise<void>> {
  const usual = await page.evaluate<number[]>(SHOW);
  const widths = String(usual);
  const made = madeFor.get(widths) ?? (await make(page, usual));
  madeFor.set(widths, made);
  await page.evaluate(REMOVE);
  await page.evaluate(PUT_ON(made));
  const wide = await page.evaluate<number[]>(SHOW);
  await page.evaluate(REMOVE);
  for (const [index, { em }] of FACES.entries()) expect(wide[index]! / em).toBeCloseTo(1, 2);
  return () => page.evaluate('document.fonts.clear()');
}
