import { hash } from 'node:crypto';

/** UUID version 8 (RFC 9562) from the first half of the name's SHA-256. Derived, so no lookup is needed. */
export function nameUuid(name: string): string {
  const hex = hash('sha256', name);
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function asUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Filters valid ids, lowercased. */
export function idsAmong(names: readonly string[]): string[] {
  return names.filter((name) => UUID.test(name));
}
