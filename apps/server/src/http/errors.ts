import { ERRORS, OUTCOME_UNKNOWN } from '@drawhouse/contract/errors';
import type { ErrorCode } from '@drawhouse/contract/errors';
import type { Failure } from '@drawhouse/contract/primitives';
import { DatabaseUnavailable } from '../db/unavailable.ts';

/** A call that can't be done, with the reason as the contract names it. Thrown anywhere below a route; sent as it is. */
export class CallError extends Error {
  readonly code: ErrorCode;
  /** Each wrong field and what would be right. */
  readonly fields: Record<string, string> | undefined;
  /** For 429: after how many seconds to try again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    options: { message?: string; fields?: Record<string, string>; retryAfterSeconds?: number } = {},
  ) {
    super(options.message ?? (options.fields ? sentenceOf(options.fields) : ERRORS[code].message));
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The failure as it is sent. */
  toBody(): Failure {
    return { success: false, code: this.code, message: this.message, ...(this.fields && { fields: this.fields }) };
  }
}

/** How a call fails whose database is away. Where its commit was sent and not answered, it says that it may have happened. */
export function notReady(error: unknown): CallError {
  const unknown = error instanceof DatabaseUnavailable && error.outcomeUnknown;
  return new CallError('NOT_READY', unknown ? { message: OUTCOME_UNKNOWN } : {});
}

function sentenceOf(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, message]) => `${name}: ${message}`)
    .join('; ');
}
