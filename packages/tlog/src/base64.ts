/** RFC 4648, section 4. */
export function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Null unless canonical standard base64. */
export function bytesOfBase64(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  // Decoders ignore trailing bits; requires the canonical form.
  return base64Of(bytes) === text ? bytes : null;
}
