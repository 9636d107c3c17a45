/** What came back for a bet. */
export interface Answer {
  readonly accepted: boolean;
  /** The HTTP status; 0 without an answer. Over sockets it is not known, and 0 too. */
  readonly status: number;
  /** Of a refusal: its code. */
  readonly code: string;
  /** When the server asks to come again. */
  readonly retryAfterMs: number | undefined;
}

/** Who sends over a wire. */
export interface Sender {
  readonly username: string;
  /** Of its session; undefined before it has signed in. */
  token: string | undefined;
}

/** A way to send bets to the server. */
export interface Wire {
  /** Opens what a player needs to send. Throws when the server does not let it in. */
  join(sender: Sender): Promise<void>;
  /** Whether a bet can be sent at once. */
  readonly free: boolean;
  /** Sends a bet, the body of the contract as JSON. The answer comes once, later; without one it is NO_RESPONSE. */
  bet(sender: Sender, body: string, answer: (answer: Answer) => void): void;
  close(): void;
}

/** A bet that has no answer after this long counts as lost, in milliseconds. */
export const ANSWER_MS = 10_000;

/** The bet was taken. */
export const ACCEPTED: Answer = { accepted: true, status: 201, code: '', retryAfterMs: undefined };
/** Nothing came back. */
export const NO_RESPONSE: Answer = { accepted: false, status: 0, code: 'NO_RESPONSE', retryAfterMs: undefined };
