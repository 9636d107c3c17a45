import { CallError } from '../../platform/http/http-errors.ts';
import { BackupDamaged } from '../take/manifest.ts';
import { sizeText } from '../keep/disk-space.ts';
import type { Work } from '../../activity/network-work/network-work.ts';
import type { Archive } from '../take/archive.ts';

export class TransferFailed extends Error {}

export class NotWhatWasSent extends TransferFailed {
  constructor() {
    super('what arrived there is not what was sent, and was removed');
  }
}

export class NoRoom extends TransferFailed {
  constructor(bytes: number, free: number) {
    super(`it has no room: ${sizeText(free)} are free, and the archive has ${sizeText(bytes)}`);
  }
}

export class OtherHostKey extends TransferFailed {
  constructor(shown: string) {
    super(
      `it showed the host key ${shown}, which is not BACKUP_TRANSFER_HOST_KEY. Nothing was sent. Where its key was changed by whoever runs it, that setting needs the new one; else it is another machine`,
    );
  }
}

/** Explanations by error code of system, SSH or object store. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  'its name is not known': ['ENOTFOUND', 'EAI_AGAIN'],
  'it refuses connections': ['ECONNREFUSED'],
  'it does not answer': ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'TimeoutError'],
  'the connection broke off': ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'],
  'this server may not write there': ['EACCES', 'EPERM', 'EROFS', 'AccessDenied', 'SFTP 3'],
  'it has no room': ['ENOSPC', 'EDQUOT', 'EFBIG', 'QuotaExceeded'],
  'it failed without saying why; its disk may be full': ['SFTP 4'],
  'there is no such folder; a disk that is not mounted has none of its folders': ['ENOENT', 'ENOTDIR', 'SFTP 2'],
  'there is no such bucket': ['NoSuchBucket'],
  'it does not accept the access key with this secret': [
    'InvalidAccessKeyId',
    'SignatureDoesNotMatch',
    'InvalidToken',
    'ExpiredToken',
  ],
  'no access key was found: BACKUP_TRANSFER_URL names none, and neither does what Amazon’s SDK looks at': [
    'CredentialsProviderError',
  ],
  'the bucket is in another region than BACKUP_TRANSFER_URL says': [
    'PermanentRedirect',
    'AuthorizationHeaderMalformed',
  ],
  'its clock and that of this server differ too much': ['RequestTimeTooSkewed'],
};
const REASON_OF = new Map(Object.entries(REASONS).flatMap(([reason, codes]) => codes.map((code) => [code, reason])));

/** Error for the caller, without secrets. */
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
  const known = REASON_OF.get(typeof code === 'number' ? `SFTP ${code}` : code) ?? REASON_OF.get(error.name);
  return known ?? `it says “${error.message}”`;
}

export interface Sending {
  readonly archive: Archive;
  readonly name: string;
  readonly isSibling: (name: string) => boolean;
  readonly work: Work;
}

export interface Destination {
  /** Display address without secrets or user. */
  readonly where: string;
  send(sending: Sending): Promise<number>;
}
