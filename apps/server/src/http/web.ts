import { randomBytes } from 'node:crypto';
import { relative } from 'node:path';
import { BUILD_HEADER, PLAYERS_BUILD_HEADER } from '@drawhouse/contract/frame/route';
import staticFiles from '@fastify/static';
import type { FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { policyWithNonce, POLICY_HEADER } from './security-headers.ts';
import { FOR_EVER } from './serve-route.ts';
import { NONCE_MARK } from './web-page.ts';
import type { WebPage } from './web-page.ts';

/** What a browser obeys only in a document: said of scripts and styles it would be half a kilobyte of nothing with each. */
const ONLY_OF_DOCUMENTS = [POLICY_HEADER, 'permissions-policy', 'referrer-policy', 'x-frame-options'];

/** The folders of the built entries: the web app, and the players' pages. Of one that is missing nothing is served. */
export interface WebRoots {
  readonly web: string | undefined;
  readonly players: string | undefined;
}

/** The page of each entry; undefined where it was not built. */
export interface WebPages {
  readonly web: WebPage | undefined;
  readonly players: WebPage | undefined;
}

/** What serving the entries needs. */
export interface WebMeans {
  readonly pages: WebPages;
  /** Whether a request comes from a signed-in player: to these `/` is their start. Never rejects. */
  readonly isPlayer: (request: FastifyRequest) => Promise<boolean>;
  /** Answers what is no page and no file. */
  readonly notFound: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

/** Below this lie the files of the players' pages. */
const PLAYERS_PREFIX = '/players/';
/** The paths of the players' pages, but their start. */
const PLAYERS_PAGES = /^\/(?:welcome|sign-in|play|mine)(?![^/?])/;
/** What is no page of any entry. */
const NO_PAGE = /^\/(?:api|assets|metrics|players|seals)(?![^/?])/;
/** A path with a part that begins with a dot, as scanners ask for it; a username that a page is about may begin so. */
const DOTFILE = /^[^?]*(?<!\/details)\/(?:\.|%2e)/i;
/** A script without a hash in its name, at the top of the players' files: the one that they leave in the browser, to work for pages above it too. */
const SERVICE_WORKER = /^[^/\\]+\.js(?:\.br|\.gz)?$/;

/**
 * Serves the built entries from their folders. `/` is the players' start for a signed-in player, and the web app's for everybody else;
 * every other path is the web app's page, but for {@link PLAYERS_PAGES} and what is no page.
 */
export async function serveWeb(
  app: FastifyInstance,
  roots: WebRoots,
  { pages, isPlayer, notFound }: WebMeans,
): Promise<void> {
  if (roots.web !== undefined) await app.register(staticFiles, { ...filesOf(roots.web), decorateReply: true });
  if (roots.players !== undefined)
    await app.register(staticFiles, {
      ...filesOf(roots.players, true),
      prefix: PLAYERS_PREFIX,
      decorateReply: roots.web === undefined,
    });

  /** The page of an entry, with a nonce of its own: always asked for anew, and never said to be as it was. */
  const page = (reply: FastifyReply, entry: keyof WebRoots): FastifyReply => {
    const { html } = (pages[entry] ?? pages.web)!;
    const nonce = randomBytes(16).toString('base64');
    reply
      .header('cache-control', 'no-cache')
      .header(POLICY_HEADER, policyWithNonce(String(reply.getHeader(POLICY_HEADER)), nonce))
      .type('text/html; charset=utf-8')
      .compress(html.replaceAll(NONCE_MARK, nonce));
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
    // Usernames in the paths of the web app may hold dots.
    return roots.web === undefined ? notFound(request, reply) : page(reply, 'web');
  });
}

/** How the files of a folder are served. `workers`: scripts at its top may work for all pages. */
function filesOf(root: string, workers = false): FastifyStaticOptions {
  return {
    root,
    index: false,
    dotfiles: 'ignore',
    // The build writes .br and .gz beside each file.
    preCompressed: true,
    // The entity tag says the same, and nobody asks for a part of a file.
    lastModified: false,
    acceptRanges: false,
    // Built files carry a hash in their names, so they never change; the page itself is always asked for anew.
    setHeaders: (reply, path) => {
      const isBuilt = path.includes('/assets/');
      reply.header('cache-control', isBuilt ? FOR_EVER : 'no-cache');
      if (workers && SERVICE_WORKER.test(relative(root, path))) reply.header('service-worker-allowed', '/');
      // A page hears of a newer build with the answers of the API.
      if (isBuilt)
        for (const name of [...ONLY_OF_DOCUMENTS, BUILD_HEADER, PLAYERS_BUILD_HEADER]) reply.removeHeader(name);
    },
  };
}
