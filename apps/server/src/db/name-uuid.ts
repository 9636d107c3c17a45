import { hash } from 'node:crypto';

/**
 * The id of what is known by its name: the first half of SHA-256 of the name, as a UUID of version 8 (RFC 9562). Following
 * from the name, it needs no look-up.
 */
export function nameUuid(name: string): string {
  const hex = hash('sha256', name);
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** 32 hex digits in the form of a UUID. */
export function asUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Those of some texts that are ids, in small letters. */
export function idsAmong(names: readonly string[]): string[] {
  return names.filter((name) => UUID.test(name));
}
