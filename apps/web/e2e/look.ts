import { expect, type Page } from '@playwright/test';
import { isWhole } from '../../server/test/test-tier.ts';
import { wearWideFont } from './wideFont.ts';

/** Finds overflow, truncated amounts and placeholders, and covered texts. Runs in the browser. */
const LOOK = `(async () => {
  // A resize takes one frame to measure and one to draw.
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const wrong = new Set();
  const name = (e) => e.textContent.trim().slice(0, 30) || e.getAttribute('aria-label') || e.tagName;
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.add('the page is wider than the window');
  const ink = document.createElement('canvas').getContext('2d');
  // Cached, because texts share most ancestors.
  const clipped = new Map();
  const clipsOf = (e) => {
    if (!clipped.has(e)) {
      const { overflowX, overflowY, clipPath } = getComputedStyle(e);
      clipped.set(e, { clips: /auto|scroll|hidden|clip/.test(overflowX + overflowY), isUnseen: clipPath !== 'none' });
    }
    return clipped.get(e);
  };
  const clips = (e) => clipsOf(e).clips;
  const isInSight = (e) => {
    const r = e.getBoundingClientRect();
    const [x, y] = [r.left + r.width / 2, r.top + r.height / 2];
    if (r.width < 2 || r.height < 2 || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    for (let p = e; p; p = p.parentElement) {
      const { clips, isUnseen } = clipsOf(p);
      if (isUnseen) return false;
      if (p === e || !clips) continue;
      const b = p.getBoundingClientRect();
      if (x < b.left || x > b.right || y < b.top || y > b.bottom) return false;
    }
    return true;
  };
  const isCovered = (e) => {
    const r = e.getBoundingClientRect();
    const top = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
    return top && !e.contains(top) && !top.contains(e);
  };
  for (const e of document.querySelectorAll('main *')) {
    const isSwiped = innerWidth < 600 && e.matches('[aria-label="Period"]');
    if (/auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1 && !isSwiped)
      wrong.add('scrolls sideways: ' + (e.getAttribute('aria-label') ?? name(e)));
    if (e.matches('td[data-align="right"], [class*="amount"], [class*="sum"], dd') && e.scrollWidth > e.clientWidth + 1 && clips(e))
      wrong.add('cut off: ' + name(e));
    if (e.matches('input[placeholder]') && e.value === '') {
      const style = getComputedStyle(e);
      ink.font = [style.fontWeight, style.fontSize, style.fontFamily].join(' ');
      const room = e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      if (room > 0 && ink.measureText(e.placeholder).width > room + 1) wrong.add('cut off: ' + e.placeholder);
    }
    if (e.matches('[data-cell]') && e.scrollWidth > e.clientWidth + 1) wrong.add('wider than its place: ' + name(e));
    const hasText = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    // elementFromPoint skips elements without pointer events, such as an input's unit.
    // Closed details keep the size of their content.
    if (!hasText || !e.checkVisibility() || !isInSight(e) || getComputedStyle(e).pointerEvents === 'none') continue;
    if (!isCovered(e)) continue;
    // Sticky elements cover content temporarily; only content that scrolling cannot reveal counts.
    const [left, upper] = [scrollX, scrollY];
    e.scrollIntoView({ block: 'center', behavior: 'instant' });
    if (isCovered(e)) wrong.add('covered: ' + name(e));
    scrollTo({ left, top: upper, behavior: 'instant' });
  }
  return [...wrong];
})()`;

function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(LOOK);
}

/** Runs {@link expectToFit} in the long tier. */
export async function expectToFitInLong(...args: Parameters<typeof expectToFit>): Promise<void> {
  if (isWhole) await expectToFit(...args);
}

/**
 * Checks for overflow, truncation and overlap at these sizes in pixels, with the wide font. `npm test` checks only the
 * first and last. Keeps the last size and restores the font.
 */
export async function expectToFit(
  page: Page,
  sizes: readonly (number | readonly [number, number])[],
  what = 'the page',
): Promise<void> {
  const takeOff = await wearWideFont(page);
  for (const size of isWhole ? sizes : new Set([sizes[0]!, sizes.at(-1)!])) {
    const [width, height] = typeof size === 'number' ? [size, 900] : size;
    await page.setViewportSize({ width, height });
    await expect.poll(() => findMisfits(page), { message: `${what} at ${width} px` }).toEqual([]);
  }
  await takeOff();
}
