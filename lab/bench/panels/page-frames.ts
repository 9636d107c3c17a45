import type { Browser, CDPSession, Page } from '@playwright/test';
import type { Call } from '../../../tools/demo/client.ts';
import { signInAll } from '../../../tools/demo/client.ts';

const VIEW = { width: 1440, height: 900 };
const STEP_PX = 12;

export interface PageFrames {
  readonly fps: number;
  /** 95th percentile of frame gaps, in milliseconds. */
  readonly p95: number;
  readonly longest: number;
  readonly messages: number;
  /** Main-thread milliseconds per message. CPU time, so other programs don't inflate it. */
  readonly work: { readonly all: number; readonly script: number; readonly style: number; readonly layout: number };
}

export interface WatchedPage {
  slowDown(times: number): Promise<void>;
  frames(seconds: number, moving: boolean): Promise<PageFrames>;
  close(): Promise<void>;
}

/** With a token, signs in and waits for panel cells. */
export async function watchPage(
  browser: Browser,
  address: string,
  signedIn?: { readonly call: Call; readonly token: string },
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: VIEW });
  if (signedIn) await signInAll(context, signedIn.call, signedIn.token);
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  let messages = 0;
  tools.on('Network.webSocketFrameReceived', () => void messages++);
  await tools.send('Network.enable');
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(address);
  if (signedIn) await page.locator('[data-drawno]').first().waitFor({ timeout: 60_000 });
  return {
    slowDown: async (times) => void (await tools.send('Emulation.setCPUThrottlingRate', { rate: times })),
    async frames(seconds, moving) {
      const before = { messages, work: await workOf(tools) };
      const gaps = await gapsOf(page, seconds, moving);
      const work = await workOf(tools);
      const received = messages - before.messages;
      const sorted = gaps.toSorted((a, b) => a - b);
      const each = (part: keyof typeof work): number =>
        ((work[part] - before.work[part]) * 1000) / Math.max(1, received);
      return {
        fps: (gaps.length * 1000) / gaps.reduce((sum, gap) => sum + gap, 0),
        p95: sorted[Math.floor(sorted.length * 0.95)]!,
        longest: sorted.at(-1)!,
        messages: received / seconds,
        work: { all: each('all'), script: each('script'), style: each('style'), layout: each('layout') },
      };
    },
    close: () => context.close(),
  };
}

/** Returns seconds so far. */
async function workOf(tools: CDPSession): Promise<{ all: number; script: number; style: number; layout: number }> {
  const { metrics } = await tools.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((metric) => metric.name === name)!.value;
  return {
    all: of('TaskDuration'),
    script: of('ScriptDuration'),
    style: of('RecalcStyleDuration'),
    layout: of('LayoutDuration'),
  };
}

function gapsOf(page: Page, seconds: number, moving: boolean): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((done) => {
    const scrolled = [...document.querySelectorAll('*')].find((each) =>
      /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight + 100 &&
      each.querySelector('[data-drawno]'));
    const gaps = [];
    let from, last, step = ${moving ? STEP_PX : 0};
    const tick = (now) => {
      from ??= now;
      if (last !== undefined) gaps.push(now - last);
      last = now;
      if (step !== 0 && scrolled) {
        const before = scrolled.scrollTop;
        scrolled.scrollTop += step;
        if (scrolled.scrollTop === before) step = -step;
      }
      if (now - from < ${seconds * 1000}) requestAnimationFrame(tick);
      else done(gaps);
    };
    requestAnimationFrame(tick);
  })`);
}
