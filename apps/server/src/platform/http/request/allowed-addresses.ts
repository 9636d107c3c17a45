import { CORE_TEXTS } from '@drawhouse/contract/core/core-texts';
import { BlockList, isIP } from 'node:net';
import { CallError } from '../http-errors.ts';
import { groupsOf } from './address.ts';

const BITS = { 4: 32, 6: 128 } as const;

/** Normalized. Throws INVALID_INPUT naming each invalid one. */
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
