import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookie that carries the session token for reads. */
const SESSION_COOKIE = 'session-token';
/** The same over HTTPS: a browser takes a cookie of this name from no other host and from no plain HTTP (RFC 6265bis, 4.1.3.2). */
const SECURE_COOKIE = `__Host-${SESSION_COOKIE}`;

/** The session token that a request's cookie carries. */
export function cookieTokenOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request)];
}

/** Has the browser keep a session token, or forget whatever it has. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
  const attributes = (name: string) =>
    ({ path: '/', httpOnly: true, sameSite: 'strict', secure: name === SECURE_COOKIE }) as const;
  if (token === null) {
    for (const name of [SESSION_COOKIE, SECURE_COOKIE]) reply.clearCookie(name, attributes(name));
    return;
  }
  const name = nameFor(request);
  reply.setCookie(name, token, attributes(name));
}

function nameFor(request: FastifyRequest): string {
  return request.protocol === 'https' ? SECURE_COOKIE : SESSION_COOKIE;
}
