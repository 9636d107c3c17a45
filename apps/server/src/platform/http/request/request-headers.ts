import { randomBytes } from 'node:crypto';
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

export type NewRequestId = () => string;

/** Crockford base 32, without look-alikes. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const OWN_DIGITS = 16;
/** A small random draw takes as long as a kilobyte. */
const AT_ONCE = 256;

/**
 * ULIDs: sortable by time (`nowMs`, Unix milliseconds), otherwise random, so two ids do not reveal the number of calls
 * between.
 */
export function createRequestIds(nowMs: () => number): NewRequestId {
  let [lastMs, time] = [-1, ''];
  let [bytes, at] = [Buffer.alloc(0), 0];
  return () => {
    const ms = nowMs();
    if (ms !== lastMs) [lastMs, time] = [ms, inDigits(ms, TIME_DIGITS)];
    if (at === bytes.length) [bytes, at] = [randomBytes(OWN_DIGITS * AT_ONCE), 0];
    let id = time;
    for (const end = at + OWN_DIGITS; at < end; at++) id += DIGITS[bytes[at]! & 31]!;
    return id;
  };
}

function inDigits(value: number, length: number): string {
  let text = '';
  for (let left = value; text.length < length; left = Math.floor(left / 32)) text = DIGITS[left % 32]! + text;
  return text;
}

const PLAIN = /^[\w.-]{1,64}$/;

/** Only if safe. Logged beside the server's own id, never instead. */
export function idOfCaller(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && PLAIN.test(header) ? header : undefined;
}
