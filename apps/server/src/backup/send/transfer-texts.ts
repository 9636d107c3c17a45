import { CallError } from '../../platform/http/http-errors.ts';
import { BackupDamaged } from '../take/archive/manifest.ts';
import { sizeText } from '../keep/disk-space.ts';
import type { Work } from '../../activity/network-work/network-work.ts';
import type { Archive } from '../take/archive/archive.ts';

export class TransferFailed extends Error {}

export class TransferMismatch extends TransferFailed {
  constructor() {
    super('the transferred archive is damaged and was removed');
  }
}

export class NoSpace extends TransferFailed {
  constructor(bytes: number, free: number) {
    super(`not enough space: ${sizeText(free)} are free, and the archive needs ${sizeText(bytes)}`);
  }
}

export class OtherHostKey extends TransferFailed {
  constructor(shown: string) {
    super(
      `its host key is ${shown}, which is not in BACKUP_TRANSFER_HOST_KEY. Nothing was sent. If its ` +
        'operator changed the key, set the new one; otherwise it is another machine',
    );
  }
}

/** Keyed by error code of system, SSH or object store. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  'its name can’t be resolved': ['ENOTFOUND', 'EAI_AGAIN'],
  'it refuses connections': ['ECONNREFUSED'],
  'it does not answer': ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'TimeoutError'],
  'the connection was lost': ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'],
  'this server can’t write there': ['EACCES', 'EPERM', 'EROFS', 'AccessDenied', 'SFTP 3'],
  'it is out of space': ['ENOSPC', 'EDQUOT', 'EFBIG', 'QuotaExceeded'],
  'it failed for an unknown reason; its disk may be full': ['SFTP 4'],
  'there is no such folder; its disk may not be mounted': ['ENOENT', 'ENOTDIR', 'SFTP 2'],
  'there is no such bucket': ['NoSuchBucket'],
  'it rejects the access key with this secret': [
    'InvalidAccessKeyId',
    'SignatureDoesNotMatch',
    'InvalidToken',
    'ExpiredToken',
  ],
  'no access key was found in BACKUP_TRANSFER_URL or the places that Amazon’s SDK checks': ['CredentialsProviderError'],
  'the bucket is not in the region given in BACKUP_TRANSFER_URL': ['PermanentRedirect', 'AuthorizationHeaderMalformed'],
  'its clock and this server’s differ too much': ['RequestTimeTooSkewed'],
};
const REASON_OF = new Map(Object.entries(REASONS).flatMap(([reason, codes]) => codes.map((code) => [code, reason])));

export function inWords(error: unknown, where: string): CallError {
  const message =
    error instanceof BackupDamaged
      ? `This backup is damaged: ${error.message}.`
      : `The backup was not transferred to ${where}: ${reasonOf(error as Error)}.`;
  return new CallError('RULE_REFUSED', { message });
}

function reasonOf(error: Error & { readonly code?: string | number }): string {
  if (error instanceof TransferFailed) return error.message;
  const code = error.code ?? error.name;
  const reason = REASON_OF.get(typeof code === 'number' ? `SFTP ${code}` : code) ?? REASON_OF.get(error.name);
  return reason ?? `it answered “${error.message}”`;
}

export interface Sending {
  readonly archive: Archive;
  readonly name: string;
  readonly isSibling: (name: string) => boolean;
  readonly work: Work;
}

export interface Destination {
  /** Without secrets or user. */
  readonly where: string;
  send(sending: Sending): Promise<number>;
}
