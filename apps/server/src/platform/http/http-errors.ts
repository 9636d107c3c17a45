import { ERRORS, type ErrorCode } from '@drawhouse/contract/core/errors';
import { pointsOf, type Failure, type Hundredths, type Refusal } from '@drawhouse/contract/core/primitives';
import { DatabaseUnavailable } from '../db/connection/unavailable.ts';

/** Error answers stay below 16 KiB for any input. */
export const FIELDS_MAX = 20;
/** Field names may come from the client, and messages may quote them. */
const NAME_MAX = 64;
const REASON_MAX = 200;
const MESSAGE_MAX = 500;

/** Thrown anywhere below a route and sent as is. */
export class CallError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  /** For 429 and 503. Default for 503: one second. */
  readonly retryAfterSeconds: number | undefined;
  /** In points, for NOT_COVERED. */
  readonly shortfall: number | undefined;
  /** For OTHER_CELL: {@link CELL_HEADER} for the repeated call, a name and perhaps more. */
  readonly cell: string | undefined;
  readonly challenge: string | undefined;
  readonly approval: string | undefined;

  constructor(
    code: ErrorCode,
    options: {
      message?: string;
      fields?: Record<string, string>;
      retryAfterSeconds?: number;
      shortfall?: Hundredths;
      cell?: string;
      challenge?: string;
      approval?: string;
    } = {},
  ) {
    const fields = options.fields && boundedFields(options.fields);
    super(cut(options.message ?? (fields ? joinMessages(fields) : ERRORS[code].message), MESSAGE_MAX));
    this.code = code;
    this.fields = fields;
    this.shortfall = options.shortfall === undefined ? undefined : pointsOf(options.shortfall);
    this.cell = options.cell;
    this.challenge = options.challenge;
    this.approval = options.approval;
    this.retryAfterSeconds = options.retryAfterSeconds ?? (this.status === 503 ? 1 : undefined);
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  toBody(requestId: string): Failure {
    return { ...this.toRefusal(), requestId };
  }

  toRefusal(): Refusal {
    return {
      success: false,
      code: this.code,
      message: this.message,
      ...(this.fields && { fields: this.fields }),
      ...(this.shortfall !== undefined && { shortfall: this.shortfall }),
      ...(this.approval !== undefined && { approval: this.approval }),
      ...(this.cell !== undefined && { cell: this.cell.split(';', 1)[0]! }),
      ...(this.challenge !== undefined && { challenge: this.challenge }),
    };
  }
}

/** OUTCOME_UNKNOWN if the commit went unanswered. */
export function databaseError(error: unknown): CallError {
  const unknown = error instanceof DatabaseUnavailable && error.outcomeUnknown;
  return new CallError(unknown ? 'OUTCOME_UNKNOWN' : 'NOT_READY');
}

function boundedFields(fields: Record<string, string>): Record<string, string> {
  const named = Object.entries(fields).slice(0, FIELDS_MAX);
  // Object.fromEntries is safe for a field named `__proto__`.
  return Object.fromEntries(named.map(([name, message]) => [cut(name, NAME_MAX), cut(message, REASON_MAX)]));
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function joinMessages(fields: Record<string, string>): string {
  return [...new Set(Object.values(fields))].join('; ');
}
