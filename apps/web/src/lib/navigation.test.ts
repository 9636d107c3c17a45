import { afterEach, expect, it, vi } from 'vitest';

const ORIGIN = 'http://shop';
let pages: { state: unknown; url: URL }[] = [];
let at = 0;
const page = new EventTarget();

function show(url: string, state: unknown): void {
  pages[at] = { state, url: new URL(url, ORIGIN) };
}

vi.stubGlobal('window', {
  addEventListener: page.addEventListener.bind(page),
  get location() {
    return pages[at]!.url;
  },
  history: {
    get state() {
      return pages[at]!.state;
    },
    pushState(state: unknown, _: string, url: string) {
      pages = pages.slice(0, ++at);
      show(url, state);
    },
    replaceState: (state: unknown, _: string, url: string) => show(url, state),
    back: () => traverse(-1),
    go: (steps: number) => traverse(steps),
  },
});

function traverse(steps: number): void {
  at += steps;
  page.dispatchEvent(new Event('popstate'));
}

const path = () => pages[at]!.url.pathname;

async function open(url: string) {
  vi.resetModules();
  [pages, at] = [[], 0];
  show(url, null);
  return import('./navigation.ts');
}

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

it('goes back to the previous page, or to the fallback without one', async () => {
  const { go } = await open('/admin/user');
  go.back('/admin/dashboard');
  expect([path(), pages.length]).toEqual(['/admin/dashboard', 1]);
  go.to('/admin/user/create');
  go.back('/elsewhere');
  expect(path()).toBe('/admin/dashboard');
});

it.each(['a link', 'Back'])('asks before leaving by %s, stays, and leaves on request', async (way) => {
  const { go, blockNavigation } = await open('/admin/user');
  go.to('/admin/user/create');
  const asked: string[] = [];
  let leave = () => {};
  stops.push(
    blockNavigation(({ pathname }, proceed) => {
      asked.push(pathname);
      leave = proceed;
      return true;
    }),
  );
  if (way === 'Back') traverse(-1);
  else go.to('/admin/user');
  expect([path(), asked]).toEqual(['/admin/user/create', ['/admin/user']]);
  leave();
  expect([path(), asked]).toEqual(['/admin/user', ['/admin/user']]);
});
