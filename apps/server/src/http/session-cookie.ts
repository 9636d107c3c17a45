import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookie that carries the session token for reads. */
const SESSION_COOKIE = 'session-token';
/** The cookie by which an account knows a browser. */
const DEVICE_COOKIE = 'device';

/** The name over HTTPS: a browser takes a cookie of this name from no other host and from no plain HTTP (RFC 6265bis, 4.1.3.2). */
function secureName(name: string): string {
  return `__Host-${name}`;
}

/** The session token that a request's cookie carries. */
export function cookieTokenOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request, SESSION_COOKIE)];
}

/** The secret of the browser that a request comes from. */
export function deviceOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request, DEVICE_COOKIE)];
}

/** Has the browser keep its secret for so long. */
export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, secret: string, forMs: number): void {
  const name = nameFor(request, DEVICE_COOKIE);
  reply.setCookie(name, secret, { ...attributesOf(name), maxAge: Math.floor(forMs / 1_000) });
}

/** Has the browser keep a session token, or forget whatever it has. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
  if (token === null) {
    for (const name of [SESSION_COOKIE, secureName(SESSION_COOKIE)]) reply.clearCookie(name, attributesOf(name));
    return;
  }
  const name = nameFor(request, SESSION_COOKIE);
  reply.setCookie(name, token, attributesOf(name));
}

function attributesOf(name: string) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: name.startsWith('__Host-') } as const;
}

function nameFor(request: FastifyRequest, name: string): string {
  return request.protocol === 'https' ? secureName(name) : name;
}
