import { randomBytes, createHash } from 'node:crypto';
import { relative, join } from 'node:path';
import { BUILD_HEADER, PLAYERS_BUILD_HEADER } from '@drawhouse/contract/core/route';
import staticFiles, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { policyWithNonce, POLICY_HEADER } from './security-headers.ts';
import { FOR_EVER } from '../serve-route.ts';
import { existsSync, readFileSync } from 'node:fs';

/** On assets they waste half a kilobyte. */
const ONLY_OF_DOCUMENTS = [POLICY_HEADER, 'permissions-policy', 'referrer-policy', 'x-frame-options'];

/** Missing folders are not served. */
export interface WebRoots {
  readonly web: string | undefined;
  readonly players: string | undefined;
}

export interface WebPages {
  readonly web: WebPage | undefined;
  readonly players: WebPage | undefined;
}

export type DressPage = (html: string, entry: 'web' | 'players', nonce: string) => Promise<string>;

export interface WebMeans {
  readonly pages: WebPages;
  /** Writes into a page what differs between installations. Never rejects. */
  readonly dress?: DressPage | undefined;
  /** Signed-in players get their own start page at `/`. Never rejects. */
  readonly isPlayer: (request: FastifyRequest) => Promise<boolean>;
  readonly notFound: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

const PLAYERS_PREFIX = '/players/';
const PLAYERS_PAGES = /^\/(?:welcome|sign-in|help|terms|play|results|mine)(?![^/?])/;
const NO_PAGE = /^\/(?:api|assets|metrics|players|seals)(?![^/?])/;
/** Scanners request dotfiles. Usernames in page paths may start with a dot. */
const DOTFILE = /^[^?]*(?<!\/details)\/(?:\.|%2e)/i;
/** The players' service worker: an unhashed script at the top level, scoped to pages above it. */
const SERVICE_WORKER = /^[^/\\]+\.js(?:\.br|\.gz)?$/;

/**
 * `/` depends on the caller: players' start or web app. Other paths return the web app's page, except {@link
 * PLAYERS_PAGES} and {@link NO_PAGE}.
 */
export async function serveWeb(
  app: FastifyInstance,
  roots: WebRoots,
  { pages, dress = async (html) => html, isPlayer, notFound }: WebMeans,
): Promise<void> {
  if (roots.web !== undefined) await app.register(staticFiles, { ...filesOf(roots.web), decorateReply: true });
  if (roots.players !== undefined)
    await app.register(staticFiles, {
      ...filesOf(roots.players, true),
      prefix: PLAYERS_PREFIX,
      decorateReply: roots.web === undefined,
    });

  /** Fresh nonce per answer, so never cached. */
  const page = async (reply: FastifyReply, entry: keyof WebRoots, url = '/'): Promise<FastifyReply> => {
    const own = (pages[entry] ?? pages.web)!;
    const nonce = randomBytes(16).toString('base64');
    const html = await dress(
      withEarly(own, url).replaceAll(NONCE_MARK, nonce),
      own === pages.players ? 'players' : 'web',
      nonce,
    );
    reply
      .header('cache-control', 'no-cache')
      .header(POLICY_HEADER, policyWithNonce(String(reply.getHeader(POLICY_HEADER)), nonce))
      .type('text/html; charset=utf-8')
      .compress(html);
    return reply;
  };

  if (roots.web !== undefined)
    app.get('/', async (request, reply) => {
      if (roots.players === undefined) return page(reply, 'web');
      reply.header('vary', 'cookie');
      return page(reply, (await isPlayer(request)) ? 'players' : 'web');
    });
  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || NO_PAGE.test(request.url) || DOTFILE.test(request.url)) return notFound(request, reply);
    if (roots.players !== undefined && PLAYERS_PAGES.test(request.url)) return page(reply, 'players');
    // Usernames in paths may contain dots.
    return roots.web === undefined ? notFound(request, reply) : page(reply, 'web', request.url);
  });
}

/** `workers`: top-level scripts may control all pages. */
function filesOf(root: string, workers = false): FastifyStaticOptions {
  return {
    root,
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    // Entity tags suffice; no range requests.
    lastModified: false,
    acceptRanges: false,
    // Built files have hashed names and never change. Pages are always revalidated.
    setHeaders: (reply, path) => {
      const isBuilt = path.includes('/assets/');
      reply.header('cache-control', isBuilt ? FOR_EVER : 'no-cache');
      if (workers && SERVICE_WORKER.test(relative(root, path))) reply.header('service-worker-allowed', '/');
      if (isBuilt)
        for (const name of [...ONLY_OF_DOCUMENTS, BUILD_HEADER, PLAYERS_BUILD_HEADER]) reply.removeHeader(name);
    },
  };
}

interface WebPage {
  readonly build: string | undefined;
  /** CSP sources, `'sha256-…'`. No other inline scripts run. */
  readonly inlineScripts: readonly string[];
  readonly inlineStyles: readonly string[];
  readonly html: string;
  readonly early: Readonly<Record<string, EarlyPage>>;
}

interface EarlyPage {
  readonly files: readonly string[];
  readonly next: readonly string[];
  readonly calls: readonly string[];
}

const NOTHING_EARLY: EarlyPage = { files: [], next: [], calls: [] };
const NONCE_MARK = '%CSP_NONCE%';

export function readWebPage(root: string | undefined): WebPage | undefined {
  const file = root === undefined ? undefined : join(root, 'index.html');
  if (file === undefined || !existsSync(file)) return undefined;
  const html = readFileSync(file, 'utf8');
  const early = join(root!, 'early.json');
  return {
    build: /<meta name="build" content="(\w+)"/.exec(html)?.[1],
    inlineScripts: sourcesOf(html.matchAll(/<script>([^]*?)<\/script>/g)),
    inlineStyles: sourcesOf(html.matchAll(/<style>([^]*?)<\/style>/g)),
    html,
    early: existsSync(early) ? (JSON.parse(readFileSync(early, 'utf8')) as WebPage['early']) : {},
  };
}

/** Calls with a query in the URL differ, so they do not start early. */
export function withEarly({ html, early }: Pick<WebPage, 'html' | 'early'>, url: string): string {
  const [path, query] = url.split('?', 2);
  const [, role, name, ...behind] = path!.split('/');
  const shape = `${role}/${name}/${behind.length}`;
  const { files, next, calls } = early[`${shape}/${behind[0]}`] ?? early[shape] ?? early[''] ?? NOTHING_EARLY;
  const first = query === undefined ? calls : calls.slice(0, 1);
  return html
    .replace('%EARLY_FILES%', files.join(' '))
    .replace('%NEXT_FILES%', next.join(' '))
    .replace('%EARLY_CALLS%', first.join(' ').replaceAll('&', '&amp;'));
}

function sourcesOf(found: Iterable<RegExpExecArray>): string[] {
  return [...found].map((match) => `'sha256-${createHash('sha256').update(match[1]!).digest('base64')}'`);
}
