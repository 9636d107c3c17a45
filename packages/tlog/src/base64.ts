/** Bytes in the standard base64 of RFC 4648, section 4. */
export function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The bytes of a text in standard base64, as `base64Of` would write it; null where it is anything else. */
export function bytesOfBase64(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  // Bits beyond the last byte may be anything, for whoever decodes: one value has one text here.
  return base64Of(bytes) === text ? bytes : null;
}
