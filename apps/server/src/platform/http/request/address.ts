import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { CORE_TEXTS } from '@drawhouse/contract/core/field-texts';
import { CallError } from '../http-errors.ts';

export interface CallerAddress {
  readonly ip: string;
  readonly key: string;
}

/**
 * Strips port, brackets and zone, unwraps IPv4 in IPv6. Undefined if invalid, because `X-Forwarded-For` may contain
 * anything.
 */
export function addressIn(text: string | undefined): string | undefined {
  if (text !== undefined && isIPv4(text)) return text;
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text ?? '')?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text ?? '')?.[1] ?? text;
  const address = bare?.trim().replace(/%.*$/s, '') ?? '';
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address;
  return isIP(mapped) ? mapped : undefined;
}

/** Behind a proxy, uses the last valid `X-Forwarded-For` entry, else the socket; clients may forge earlier entries. */
export function callerAddress(
  { headers, socket }: { readonly headers: IncomingMessage['headers']; readonly socket: { remoteAddress?: string } },
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
  return addressIn(forwarded.at(-1)) ?? addressIn(socket.remoteAddress) ?? '';
}

/** An IPv4 address, or one IPv6 customer's /64. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  return `${groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

function groupsOf(address: string): number[] {
  const text = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a, b, c, d] = parts.map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [before = [], after] = text
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  return after === undefined
    ? before
    : [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

export function addressOfCaller(request: IncomingMessage, trustProxy: boolean): CallerAddress {
  const ip = callerAddress(request, trustProxy);
  return { ip, key: addressKey(ip) };
}

/** Proxy and server could choose different `Host` headers (RFC 9112, 3.2). Node keeps only the first. */
export function hasOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') hosts++;
  return hosts <= 1;
}

/** Programs send no `Origin` and pass. Behind a proxy, `X-Forwarded-Host` wins. */
export function isOfOwnOrigin({ headers }: Pick<IncomingMessage, 'headers'>, trustProxy: boolean): boolean {
  const { origin } = headers;
  if (origin === undefined) return true;
  const forwarded = trustProxy
    ? String(headers['x-forwarded-host'] ?? '')
        .split(',')
        .at(-1)!
        .trim()
    : '';
  // Default ports may be omitted on either side.
  const [of, asked] = [origin, `${origin.split('://', 1)[0]}://${forwarded || headers.host}`].map((url) =>
    URL.canParse(url) ? new URL(url).host : undefined,
  );
  return of !== undefined && of !== '' && of === asked;
}

const BITS = { 4: 32, 6: 128 } as const;

/** Normalized. */
export function readAddresses(addresses: readonly string[]): string[] {
  const fields: Record<string, string> = {};
  const read = addresses.flatMap((text, index) => {
    const network = networkIn(text);
    if (network === undefined) fields[`addresses.${index}`] = CORE_TEXTS.wrongAddress;
    return network ?? [];
  });
  if (Object.keys(fields).length > 0) throw new CallError('INVALID_INPUT', { fields });
  return [...new Set(read)];
}

/** `203.0.113.7/32`. Undefined if invalid or if host bits are set. */
function networkIn(text: string): string | undefined {
  const [address = '', length, more] = text.trim().toLowerCase().split('/');
  const version = isIP(address) as 0 | 4 | 6;
  if (version === 0 || more !== undefined || address.includes('%')) return undefined;
  const bits = BITS[version];
  if (length === undefined) return `${address}/${bits}`;
  if (!/^\d{1,3}$/.test(length) || Number(length) > bits) return undefined;
  return isFullAddress(address, version, Number(length)) ? `${address}/${Number(length)}` : undefined;
}

function isFullAddress(address: string, version: 4 | 6, length: number): boolean {
  const bits = bytesOf(address, version)
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  return !bits.slice(length).includes('1');
}

function bytesOf(address: string, version: 4 | 6): number[] {
  if (version === 4) return address.split('.').map(Number);
  return groupsOf(address).flatMap((group) => [group >> 8, group & 0xff]);
}

export function isAllowed(addresses: readonly string[], ip: string): boolean {
  if (addresses.length === 0) return true;
  const version = isIP(ip) as 0 | 4 | 6;
  if (version === 0) return false;
  const allowed = new BlockList();
  for (const network of addresses) {
    const [address = '', length] = network.split('/');
    const own = isIP(address) as 4 | 6;
    allowed.addSubnet(address, length === undefined ? BITS[own] : Number(length), `ipv${own}`);
  }
  return allowed.check(ip, `ipv${version}`);
}

export function shownAddress(network: string): string {
  return network.replace(network.includes(':') ? /\/128$/ : /\/32$/, '');
}
