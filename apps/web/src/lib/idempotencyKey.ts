const KEY_BYTES = 16;

/** A fresh idempotency key. Not `randomUUID`, which browsers withhold on plain http outside localhost. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Long enough to load the page again and type the same again; what is asked later than that is meant anew. */
const RESEND_MS = 10 * 60_000;

/**
 * The idempotency key of a request: the same one for the same request until it is answered, after a reload too, so that whoever
 * never saw the answer and sends it again has it acted on once. Say {@link forgetKey} when the answer is there. `isWaiting`: whoever asks
 * still sees that it may have been done, and has the same key however late.
 */
export function keyOfRequest(request: string, isWaiting: boolean = false, now: number = Date.now()): string {
  const sent = JSON.parse(sessionStorage.getItem(slotOf(request)) ?? 'null') as { key: string; at: number } | null;
  if (sent && (isWaiting || now - sent.at < RESEND_MS)) return sent.key;
  const key = newIdempotencyKey();
  sessionStorage.setItem(slotOf(request), JSON.stringify({ key, at: now }));
  return key;
}

/** The request is answered: the same one again is a new one. */
export function forgetKey(request: string): void {
  sessionStorage.removeItem(slotOf(request));
}

/** Whoever signs out leaves no trace of what was sent. */
export function forgetAllKeys(): void {
  for (const slot of Object.keys(sessionStorage)) if (slot.startsWith(SLOT)) sessionStorage.removeItem(slot);
}

const SLOT = 'sent ';

function slotOf(request: string): string {
  return SLOT + request;
}
