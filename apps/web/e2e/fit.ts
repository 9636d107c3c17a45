import type { Page } from '@playwright/test';

/**
 * Finds texts that are truncated, overflow their cell or screen, or overlap others. Compares ink, since a wide enough
 * box may hold a wider text. Runs in the browser.
 */
const FIT = `(async (root) => {
  for (let frame = 0; frame < 3; frame++) await document.documentElement.animate([], 1).finished;
  const wrong = new Set();
  const seen = [];
  const texts = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT);
  const ink = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const half = parseFloat(getComputedStyle(node.parentElement).fontSize) * 0.36;
    const inkOf = ({ left, right, top, bottom }) => {
      const middle = (top + bottom) / 2;
      return { left, right, top: middle - half, bottom: middle + half };
    };
    // A sentence of several elements may wrap within one.
    const lines = [...range.getClientRects()].map(inkOf);
    return { ...inkOf(range.getBoundingClientRect()), lines };
  };
  const isBeside = (a, b) => a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.data.trim();
    const own = node.parentElement;
    if (text === '' || own.closest('svg') || !own.checkVisibility({ visibilityProperty: true })) continue;
    const of = ink(node);
    let isHidden = of.right - of.left < 1;
    let isScrolled = false;
    const cuts = [];
    for (let box = own; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.clipPath !== 'none') isHidden = true;
      const isCell = box.matches('[data-drawno], dl > div');
      const clips = (overflow) => isCell || /hidden|clip/.test(overflow);
      const scrolls = (overflow) => /auto|scroll/.test(overflow);
      if (![style.overflowX, style.overflowY].some((each) => clips(each) || scrolls(each))) continue;
      const edges = box.getBoundingClientRect();
      // Fully hidden text is not truncated.
      if (isBeside(of, edges)) isHidden = true;
      const isWide = clips(style.overflowX) && (of.left < edges.left - 1 || of.right > edges.right + 1);
      if (scrolls(style.overflowY))
        for (const line of of.lines) {
          line.top = Math.max(line.top, edges.top);
          line.bottom = Math.min(line.bottom, edges.bottom);
        }
      isScrolled ||= scrolls(style.overflowY) && box.scrollHeight > box.clientHeight;
      const isHigh = !isScrolled && clips(style.overflowY) && (of.top < edges.top - 1 || of.bottom > edges.bottom + 1);
      if (isWide || isHigh) cuts.push((isWide ? 'too wide: ' : 'too high: ') + text);
    }
    if (isHidden) continue;
    for (const cut of cuts) wrong.add(cut);
    if (of.left < -1 || of.right > innerWidth + 1) wrong.add('leaves the screen: ' + text);
    for (const other of seen) {
      const areApart = of.lines.every((line) => other.of.lines.every((one) => isBeside(line, one)));
      if (!areApart) wrong.add('run together: ' + other.text + ' | ' + text);
    }
    seen.push({ of, text });
  }
  if (seen.length === 0) wrong.add('there is no text');
  return [...wrong];
})`;

export function findUnfit(page: Page, root: string): Promise<string[]> {
  return page.evaluate<string[]>(`${FIT}(${JSON.stringify(root)})`);
}
