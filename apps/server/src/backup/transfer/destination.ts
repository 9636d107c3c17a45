import type { Work } from '../../network-work/network-work.ts';
import type { Archive } from '../archive.ts';

export interface Sending {
  readonly archive: Archive;
  readonly name: string;
  /** True for archive names of the same network. */
  readonly isSibling: (name: string) => boolean;
  readonly work: Work;
}

/** Transfer destination; errors are destination-specific. */
export interface Destination {
  /** Display address without secrets or user. */
  readonly where: string;
  /** Sends, verifies, and returns the size in bytes. */
  send(sending: Sending): Promise<number>;
}
