import type { FastifyReply, FastifyRequest } from 'fastify';

const SESSION_COOKIE = 'session-token';
const DEVICE_COOKIE = 'device';

/** Browsers accept `__Host-` cookies only from this host over HTTPS (RFC 6265bis, 4.1.3.2). */
function secureName(name: string): string {
  return `__Host-${name}`;
}

export function cookieTokenOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request, SESSION_COOKIE)];
}

export function deviceOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request, DEVICE_COOKIE)];
}

export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, secret: string, forMs: number): void {
  const name = nameFor(request, DEVICE_COOKIE);
  reply.setCookie(name, secret, { ...attributesOf(name), maxAge: Math.floor(forMs / 1_000) });
}

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
