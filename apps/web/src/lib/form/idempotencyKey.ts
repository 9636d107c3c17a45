const KEY_BYTES = 16;

/** Browsers withhold `randomUUID` on plain http outside localhost. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Enough to reload and retype. Later repeats count as new requests. */
const RESEND_MS = 10 * 60_000;

/**
 * Returns the same key for the same request until its answer, even across a reload, so a resend runs once. Call {@link
 * forgetKey} after the answer. With `isWaiting` the key never expires: the page still warns about the request.
 */
export function keyOfRequest(request: string, isWaiting: boolean = false, now: number = Date.now()): string {
  const sent = JSON.parse(sessionStorage.getItem(slotOf(request)) ?? 'null') as { key: string; at: number } | null;
  if (sent && (isWaiting || now - sent.at < RESEND_MS)) return sent.key;
  const key = newIdempotencyKey();
  sessionStorage.setItem(slotOf(request), JSON.stringify({ key, at: now }));
  return key;
}

/** Makes the same request count as new. */
export function forgetKey(request: string): void {
  sessionStorage.removeItem(slotOf(request));
}

/** Runs at sign-out, so that later users of this tab find no traces. */
export function forgetAllKeys(): void {
  for (const slot of Object.keys(sessionStorage)) if (slot.startsWith(SLOT)) sessionStorage.removeItem(slot);
}

const SLOT = 'sent ';

function slotOf(request: string): string {
  return SLOT + request;
}
