import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';

/** Where a request comes from: the address, and what stands for it where calls are counted. */
export interface CallerAddress {
  readonly ip: string;
  readonly key: string;
}

/**
 * An IP address in the text that a request or a proxy gives for it: without a port, brackets or zone, and IPv4 without the IPv6 around
 * it. Undefined where it is none: what stands in `X-Forwarded-For` may be anything.
 */
export function addressIn(text: string | undefined): string | undefined {
  // As most are given.
  if (text !== undefined && isIPv4(text)) return text;
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text ?? '')?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text ?? '')?.[1] ?? text;
  const address = bare?.trim().replace(/%.*$/s, '') ?? '';
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address;
  return isIP(mapped) ? mapped : undefined;
}

/**
 * Where a request comes from: behind a proxy what that says where it is an address, else the other end of the connection. One proxy: only
 * the last address in `X-Forwarded-For` is its word, those before it are whatever the client wrote.
 */
export function callerAddress(
  { headers, socket }: { readonly headers: IncomingMessage['headers']; readonly socket: { remoteAddress?: string } },
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
  return addressIn(forwarded.at(-1)) ?? addressIn(socket.remoteAddress) ?? '';
}

/** Whom an address stands for when attempts and calls are counted: an IPv4 address, or the /64 that one IPv6 customer has. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head, tail] = address.toLowerCase().split('::') as [string, string | undefined];
  const groups = (text: string): string[] =>
    text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const all = tail === undefined ? before : [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** Where a request comes from, with what stands for it where calls are counted. */
export function addressOfCaller(request: IncomingMessage, trustProxy: boolean): CallerAddress {
  const ip = callerAddress(request, trustProxy);
  return { ip, key: addressKey(ip) };
}
