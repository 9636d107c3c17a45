import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { DIGITS_BY_FAMILY } from '@drawhouse/rules/games/rules';
import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import { ensureChromium } from '../../../tools/testing/chromium.ts';
import { connect, signInAll, type Call } from '../../../tools/demo/client.ts';
import { runScript } from '../../../tools/run.ts';
import { everyBet, rulesOfPanel } from '../../simulate/ready-bets.ts';
import { simulate } from '../../simulate/crowd.ts';
import { createHttpWire } from '../../simulate/http-wire.ts';
import { Tally } from '../../simulate/tally.ts';
import { judge, shown } from '../measure/contest.ts';
import { startServed } from '../fixtures/bench-server.ts';
import { CHANGES_A_SECOND, GAMES, type PanelField } from './panel-field.ts';

const VIEW = { width: 1440, height: 900 };
const STEP_PX = 12;

interface PageFrames {
  readonly fps: number;
  /** 95th percentile of frame gaps, in milliseconds. */
  readonly p95: number;
  readonly longest: number;
  readonly messages: number;
  /** Main-thread milliseconds per message. CPU time, so other programs don't inflate it. */
  readonly work: { readonly all: number; readonly script: number; readonly style: number; readonly layout: number };
}

interface WatchedPage {
  slowDown(times: number): Promise<void>;
  frames(seconds: number, moving: boolean): Promise<PageFrames>;
  close(): Promise<void>;
}

/** With a token, signs in and waits for panel cells. */
async function watchPage(
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

const LEAST_FPS = 50;
const SLOWED = 4;
const SECONDS = 10;
const WARM_UP_SECONDS = 3;
/** Tickets per second, above the rate of changes. */
const TICKETS = 16;
const LINES = 20;
/** Fewer would not stress the page. */
const LEAST_CHANGES = CHANGES_A_SECOND * 0.75;

/** Measures full 3D and 4D panels in a throttled Chromium, idle and scrolling. */
export async function benchFps({ url, adminId, players, adminTokens }: PanelField): Promise<void> {
  const { code, output } = await runScript('tools/setup.mjs', ['build']);
  if (code !== 0) throw new Error(`The web app does not build:\n${output}`);
  const server = await startServed(url);
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const { call } = connect(server.url, 4, new AbortController().signal);
  const found: Parameters<typeof judge>[0][number][] = [];
  console.log(
    `Chromium ${browser.version()}, slowed down ${SLOWED} times; ${TICKETS} tickets per second of ${LINES} bets`,
  );
  console.log(`each; ${SECONDS} s each; load of the machine before ${shown(loadavg()[0]!)}\n`);
  console.log(
    '| page | frames per second | p95 ms | longest ms | changes per second | work for each, ms | script | style | layout |',
  );
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|');
  try {
    const empty = await watchPage(browser, 'about:blank');
    await empty.slowDown(SLOWED);
    report('an empty page', await empty.frames(SECONDS, false));
    await empty.close();
    const [token] = await adminTokens(1);
    for (const [name, gameId] of Object.entries(GAMES)) {
      await layEverything(call, gameId, players as readonly { readonly token: string }[]);
      const stop = new AbortController();
      const wire = createHttpWire(server.url, 4);
      const betting = simulate(
        { wire, call, players, rate: TICKETS, signal: stop.signal, games: [gameId], lines: LINES, together: true },
        new Tally(),
      );
      const page = await watchPage(browser, `${server.url}/admin/game/${gameId}/${adminId}/bench-admin`, {
        call,
        token: token!,
      });
      try {
        await page.frames(WARM_UP_SECONDS, false);
        report(`${name}, not slowed down`, await page.frames(SECONDS, false));
        await page.slowDown(SLOWED);
        for (const moving of [false, true]) {
          const frames = await page.frames(SECONDS, moving);
          const label = `${name}${moving ? ', scrolled' : ''}`;
          report(label, frames);
          found.push(
            { label: `${label}: frames per second`, value: frames.fps, atLeast: LEAST_FPS },
            { label: `${label}: changes per second`, value: frames.messages, atLeast: LEAST_CHANGES },
          );
        }
      } finally {
        stop.abort();
        await betting;
        wire.close();
        await page.close();
      }
    }
    judge(found);
  } finally {
    await browser.close();
    await server.stop();
  }
}

function report(name: string, { fps, p95, longest, messages, work }: PageFrames): void {
  const figures = [fps, p95, longest, messages, work.all, work.script, work.style, work.layout];
  console.log(`| ${name} | ${figures.map(shown).join(' | ')} |`);
}

async function layEverything(
  call: Call,
  gameId: (typeof GAMES)[keyof typeof GAMES],
  players: readonly { readonly token: string }[],
): Promise<void> {
  const rules = rulesOfPanel(gameId, gameId, DIGITS_BY_FAMILY[gameId]![0]!)!;
  const lines = everyBet(rules).map(({ drawno, head, series, subseries }, index) => ({
    drawno,
    ...(head && { head }),
    ...(series && { series: String(series) }),
    ...(subseries && { subseries: String(subseries) }),
    qty: 1 + ((index * 7919) % 97),
  }));
  for (let from = 0, ticket = 0; from < lines.length; from += TICKET_LIMITS.lines, ticket++) {
    const body = { gameId, requestId: randomUUID(), lines: lines.slice(from, from + TICKET_LIMITS.lines) };
    await call(placeBet, { body }, { token: players[ticket]!.token });
  }
}
