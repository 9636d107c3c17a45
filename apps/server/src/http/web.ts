import { BUILD_HEADER } from '@drawhouse/contract/frame/route';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FOR_EVER } from './serve-route.ts';

/** What a browser obeys only in a document: said of scripts and styles it would be half a kilobyte of nothing with each. */
const ONLY_OF_DOCUMENTS = ['content-security-policy', 'referrer-policy', 'x-frame-options'];

/** Serves the built web app from a folder; without one, and for every path that is no page, `notFound` answers. */
export async function serveWeb(
  app: FastifyInstance,
  root: string | undefined,
  notFound: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): Promise<void> {
  if (root !== undefined) {
    await app.register(staticFiles, {
      root,
      index: false,
      // The build writes .br and .gz beside each file.
      preCompressed: true,
      // The entity tag says the same, and nobody asks for a part of a file.
      lastModified: false,
      acceptRanges: false,
      // Built files carry a hash in their names, so they never change; the page itself is always asked for anew.
      setHeaders: (reply, path) => {
        const isBuilt = path.includes('/assets/');
        reply.header('cache-control', isBuilt ? FOR_EVER : 'no-cache');
        // A page hears of a newer build with the answers of the API.
        if (isBuilt) for (const name of [...ONLY_OF_DOCUMENTS, BUILD_HEADER]) reply.removeHeader(name);
      },
    });
    app.get('/', (_request, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html'));
  }
  app.setNotFoundHandler((request, reply) => {
    // Everything but the API and the built files is a page of the web app; usernames in its paths may hold dots.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isPage = isRead && !/^\/(api|assets|metrics)(?![^/?])/.test(request.url);
    if (root !== undefined && isPage) return reply.header('cache-control', 'no-cache').sendFile('index.html');
    return notFound(request, reply);
  });
}
