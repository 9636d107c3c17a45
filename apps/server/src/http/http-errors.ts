import { ERRORS } from '@drawhouse/contract/frame/errors';
import type { ErrorCode } from '@drawhouse/contract/frame/errors';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { Failure, Hundredths, Refusal } from '@drawhouse/contract/frame/primitives';
import { DatabaseUnavailable } from '../db/unavailable.ts';

/** A failure names at most this many wrong fields: an answer to a wrong body stays below 16 KiB, whatever was sent. */
export const FIELDS_MAX = 20;
/** What is longer is cut: the names of fields may be the sender's own, and a message may quote them. */
const NAME_MAX = 64;
const REASON_MAX = 200;
const MESSAGE_MAX = 500;

/** A call that can't be done, with the reason as the contract names it. Thrown anywhere below a route; sent as it is. */
export class CallError extends Error {
  readonly code: ErrorCode;
  /** Each wrong field and what would be right, {@link FIELDS_MAX} of them at most. */
  readonly fields: Record<string, string> | undefined;
  /** For 429 and 503: after how many seconds to try again; a 503 that says nothing else, after one. */
  readonly retryAfterSeconds: number | undefined;
  /** How many points are lacking, for NOT_COVERED. */
  readonly shortfall: number | undefined;

  constructor(
    code: ErrorCode,
    options: {
      message?: string;
      fields?: Record<string, string>;
      retryAfterSeconds?: number;
      shortfall?: Hundredths;
    } = {},
  ) {
    const fields = options.fields && boundedFields(options.fields);
    super(cut(options.message ?? (fields ? sentenceOf(fields) : ERRORS[code].message), MESSAGE_MAX));
    this.code = code;
    this.fields = fields;
    this.shortfall = options.shortfall === undefined ? undefined : pointsOf(options.shortfall);
    this.retryAfterSeconds = options.retryAfterSeconds ?? (this.status === 503 ? 1 : undefined);
  }

  /** The HTTP status of the code. */
  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The failure as the answer to a call, which has an id. */
  toBody(requestId: string): Failure {
    return { ...this.toRefusal(), requestId };
  }

  /** The same of one thing among several of a call. */
  toRefusal(): Refusal {
    return {
      success: false,
      code: this.code,
      message: this.message,
      ...(this.fields && { fields: this.fields }),
      ...(this.shortfall !== undefined && { shortfall: this.shortfall }),
    };
  }
}

/** How a call fails whose database is away: nothing was done, or where its commit was sent and not answered, it may have been. */
export function notReady(error: unknown): CallError {
  const unknown = error instanceof DatabaseUnavailable && error.outcomeUnknown;
  return new CallError(unknown ? 'OUTCOME_UNKNOWN' : 'NOT_READY');
}

function boundedFields(fields: Record<string, string>): Record<string, string> {
  const named = Object.entries(fields).slice(0, FIELDS_MAX);
  // By fromEntries and not by assignment: a field may be called __proto__.
  return Object.fromEntries(named.map(([name, message]) => [cut(name, NAME_MAX), cut(message, REASON_MAX)]));
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** The texts alone, each once: `fields` has the names. */
function sentenceOf(fields: Record<string, string>): string {
  return [...new Set(Object.values(fields))].join('; ');
}
