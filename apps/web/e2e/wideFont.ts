import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

const SAMPLE = 'Last tickets of a player 0123456789 Sphinx of black quartz judge my vow';

/**
 * The faces of the wide font, of the back-office and, where that has none, of the players' pages: what they stand for, by a family that the app's fonts begin with, and how wide {@link SAMPLE} is in each, in em.
 * That is 15 % more than in Arial, Helvetica and Liberation, which most systems have, and 20 % in bold: what DejaVu Sans takes.
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

/** Shows the sample in each face, out of sight; gives how wide each is, in em. */
const SHOW = `(() => ${JSON.stringify(FACES)}.map(({ stack, weight }) => {
  const shown = document.body.appendChild(document.createElement('span'));
  shown.dataset.sample = '';
  shown.style.cssText = 'position:fixed;left:0;top:0;visibility:hidden;white-space:pre;font:' + weight + ' 100px var(' + stack + ')';
  shown.textContent = ${JSON.stringify(SAMPLE)};
  return shown.getBoundingClientRect().width / 100;
}))()`;
const REMOVE = `document.querySelectorAll('[data-sample]').forEach((shown) => shown.remove())`;

/** Of each face, the font of this machine that it is made of, and how much larger that is shown. */
type Made = readonly { readonly of: string; readonly percent: number }[];

/** The faces by the widths that they replace. The back-office and the players' pages have different fonts, and a worker opens both. */
const madeFor = new Map<string, Made>();

/** Finds the fonts that the browser itself takes for the samples, which the page shows, and sizes them. */
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
 * Shows the page, one of the app's, in a wide font until it is loaded anew, or what this gives is called. It is made of whatever font the
 * machine has, so that every machine sees the same widths; what fits in it fits in the usual ones too. Proves that it is as wide as said.
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
