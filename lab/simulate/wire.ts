export interface Answer {
  readonly accepted: boolean;
  /** HTTP status; 0 without an answer and over sockets. */
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
}

export interface Sender {
  readonly username: string;
  token: string | undefined;
}

export interface Wire {
  /** Throws if the server refuses the player. */
  join(sender: Sender): Promise<void>;
  /** Ready to send a bet. */
  readonly free: boolean;
  /** Calls `answer` once, later; NO_RESPONSE if none arrives. */
  bet(sender: Sender, body: string, answer: (answer: Answer) => void): void;
  close(): void;
}

export const ANSWER_MS = 10_000;

export const ACCEPTED: Answer = { accepted: true, status: 201, code: '', retryAfterMs: undefined };
export const NO_RESPONSE: Answer = { accepted: false, status: 0, code: 'NO_RESPONSE', retryAfterMs: undefined };
