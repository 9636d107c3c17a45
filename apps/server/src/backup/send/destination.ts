import type { Work } from '../../activity/network-work/network-work.ts';
import type { Archive } from '../take/archive.ts';

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
