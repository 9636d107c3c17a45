import { loadavg } from 'node:os';
import { chromium, type Browser, type Page } from '@playwright/test';
import { ensureChromium } from '../../../tools/testing/chromium.ts';
import { connect, signInAll } from '../../../tools/demo/client.ts';
import { judge, shown } from './contest.ts';

/** Speeds in bits per second, `latency` in milliseconds. */
interface Phone {
  readonly width: number;
  readonly height: number;
  readonly down: number;
  readonly up: number;
  readonly latency: number;
  /** Divides this machine's CPU. */
  readonly slowed: number;
}

export interface TimedPage {
  readonly path: string;
  readonly token?: string;
  readonly usable: (page: Page) => Promise<void>;
  readonly touch: (page: Page) => Promise<void>;
  readonly times?: number;
  /** Absent for a page that is only compared. */
  readonly limits?: Vitals;
}

export interface Vitals {
  readonly lcpMs: number;
  readonly inpMs: number;
  readonly cls: number;
}

const LISTEN = `(() => {
  window.vitals = { lcpMs: 0, inpMs: 0, cls: 0 };
  const observe = (type, take, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  observe('largest-contentful-paint', ({ startTime }) => (vitals.lcpMs = startTime));
  const keepSlowest = ({ duration, interactionId }) => interactionId && (vitals.inpMs = Math.max(vitals.inpMs, duration));
  observe('event', keepSlowest, { durationThreshold: 16 });
  observe('layout-shift', ({ value, hadRecentInput }) => hadRecentInput || (vitals.cls += value));
})()`;
const TIMES = 5;

/** Loads the pages in turn; prints the median of each figure and judges it. */
export async function timePages(url: string, phone: Phone, pages: Readonly<Record<string, TimedPage>>): Promise<void> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const { width, slowed, down, up, latency } = phone;
    const network = `${down / 1e6}/${up / 1e6} Mbit/s, ${latency} ms`;
    console.log(
      `Chromium ${browser.version()}, ${width} px wide, CPU ÷ ${slowed}, ${network}; the middle of ${TIMES};`,
    );
    console.log(`load of the machine before ${shown(loadavg()[0]!)}`);
    const all = new Map<string, Vitals[]>(Object.keys(pages).map((name) => [name, []]));
    for (let time = 0; time < TIMES; time += 1)
      for (const [name, timed] of Object.entries(pages))
        if (time < (timed.times ?? TIMES)) all.get(name)!.push(await vitalsOf(browser, url, phone, timed));
    console.log(`load after ${shown(loadavg()[0]!)}`);
    judge(Object.entries(pages).flatMap(([name, { limits }]) => figuresOf(name, all.get(name)!, limits)));
  } finally {
    await browser.close();
  }
}

function figuresOf(name: string, measured: readonly Vitals[], limits: Vitals | undefined) {
  const middle = (of: keyof Vitals) =>
    measured.map((each) => each[of]).toSorted((a, b) => a - b)[Math.floor(measured.length / 2)]!;
  const { lcpMs = Infinity, inpMs = Infinity, cls = Infinity } = limits ?? {};
  return [
    { label: `${name}: largest paint`, value: middle('lcpMs'), atMost: lcpMs, unit: ' ms' },
    ...(limits
      ? [
          { label: `${name}: answer to a touch`, value: middle('inpMs'), atMost: inpMs, unit: ' ms' },
          { label: `${name}: shift`, value: middle('cls'), atMost: cls },
        ]
      : []),
  ];
}

async function vitalsOf(browser: Browser, url: string, phone: Phone, timed: TimedPage): Promise<Vitals> {
  const { width, height, slowed, latency } = phone;
  const context = await browser.newContext({ viewport: { width, height }, hasTouch: true, isMobile: true });
  try {
    if (timed.token !== undefined) {
      await signInAll(context, connect(url, 1, new AbortController().signal).call, timed.token);
      // The cookie selects the signed-in start page.
      await context.addCookies([{ name: 'session-token', value: timed.token, url }]);
    }
    await context.addInitScript(LISTEN);
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.emulateNetworkConditions', {
      offline: false,
      downloadThroughput: phone.down / 8,
      uploadThroughput: phone.up / 8,
      latency,
    });
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowed });
    await page.goto(url + timed.path);
    await timed.usable(page);
    await page.waitForLoadState('networkidle');
    // Browsers report largest paint only until the first touch.
    const { lcpMs } = await page.evaluate<Vitals>('vitals');
    await timed.touch(page);
    await page.waitForLoadState('networkidle');
    return { ...(await page.evaluate<Vitals>('vitals')), lcpMs };
  } finally {
    await context.close();
  }
}
