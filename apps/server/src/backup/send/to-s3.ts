import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  S3Client,
  UploadPartCommand,
  type CompletedPart,
  type ListMultipartUploadsCommandOutput,
} from '@aws-sdk/client-s3';
import type { Work } from '../../activity/network-work/network-work.ts';
import type { S3Target } from '../../config/backup-settings.ts';
import { drain, watched } from './send-with-rename.ts';
import { TransferMismatch, type Destination, type Sending } from './transfer-texts.ts';
import { BACKUP_STEPS } from '../backup-texts.ts';

/** Stores require a minimum, except for the last part. */
const MIN_PART_BYTES = 16 * 2 ** 20;
const MAX_PARTS = 9_000;

interface ObjectPlace {
  readonly Bucket: string;
  readonly Key: string;
}

interface Sent {
  readonly bytes: number;
  readonly sha256: string;
  /** Base64 SHA-256 over part hashes, with the part count, as stores report it. */
  readonly sha256OfParts: string;
}

/**
 * The object appears only when complete. The store checks each part. Finally its checksum is compared, or the object
 * read back.
 */
export function toS3({ bucket, prefix, endpoint, region, accessKey }: S3Target): Destination {
  return {
    where: `s3://${bucket}${prefix && `/${prefix.slice(0, -1)}`}`,
    async send(sending) {
      const client = new S3Client({
        region,
        followRegionRedirects: true,
        // Other stores reject Amazon's checksum extensions.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
        ...(accessKey && { credentials: { accessKeyId: accessKey.id, secretAccessKey: accessKey.secret } }),
      });
      try {
        await giveUpOthers(client, { bucket, prefix, sending });
        const at = { Bucket: bucket, Key: prefix + sending.name };
        const sent = await upload(client, at, sending);
        await requireArrived(client, at, sent, sending.work);
        return sent.bytes;
      } finally {
        client.destroy();
      }
    },
  };
}

/** Stores bill for parts of unfinished uploads. */
async function giveUpOthers(
  client: S3Client,
  { bucket, prefix, sending: { isSibling, work } }: { bucket: string; prefix: string; sending: Sending },
): Promise<void> {
  const abort = { abortSignal: work.signal };
  for (
    let after: Pick<ListMultipartUploadsCommandOutput, 'NextKeyMarker' | 'NextUploadIdMarker'> | undefined = {};
    after;
  ) {
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = after;
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, KeyMarker, UploadIdMarker }),
      abort,
    );
    for (const { Key = '', UploadId } of page.Uploads ?? [])
      if (isSibling(Key.slice(prefix.length)))
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), abort);
    after = page.IsTruncated ? page : undefined;
  }
}

async function upload(client: S3Client, at: ObjectPlace, { archive, work }: Sending): Promise<Sent> {
  const abort = { abortSignal: work.signal };
  const bytes = await archive.bytes;
  const begun = await client.send(new CreateMultipartUploadCommand({ ...at, ChecksumAlgorithm: 'SHA256' }), abort);
  const whole = { ...at, UploadId: begun.UploadId };
  try {
    const measure = watched(work, 'Sending', bytes);
    const hashOfParts = createHash('sha256');
    const Parts: CompletedPart[] = [];
    await pipeline(
      archive,
      measure.step,
      async (source: AsyncIterable<Buffer>) => {
        for await (const Body of inParts(source, Math.max(MIN_PART_BYTES, Math.ceil(bytes / MAX_PARTS)))) {
          const sha256 = createHash('sha256').update(Body).digest();
          hashOfParts.update(sha256);
          const part = { PartNumber: Parts.length + 1, ChecksumSHA256: sha256.toString('base64') };
          const uploaded = await client.send(new UploadPartCommand({ ...whole, ...part, Body }), abort);
          Parts.push({ ...part, ETag: uploaded.ETag, ChecksumSHA256: uploaded.ChecksumSHA256 });
        }
      },
      work,
    );
    await client.send(new CompleteMultipartUploadCommand({ ...whole, MultipartUpload: { Parts } }), abort);
    return {
      bytes: measure.bytes(),
      sha256: measure.sha256(),
      sha256OfParts: `${hashOfParts.digest('base64')}-${Parts.length}`,
    };
  } catch (error) {
    // The next transfer aborts leftovers.
    await client.send(new AbortMultipartUploadCommand(whole)).catch(() => {});
    throw error;
  }
}

/** Deletes the object and throws on mismatch. */
async function requireArrived(client: S3Client, at: ObjectPlace, sent: Sent, work: Work): Promise<void> {
  const abort = { abortSignal: work.signal };
  const head = await client.send(new HeadObjectCommand({ ...at, ChecksumMode: 'ENABLED' }), abort);
  const isRight =
    head.ContentLength === sent.bytes &&
    (head.ChecksumSHA256 === undefined
      ? (await readBack(client, at, sent.bytes, work)) === sent.sha256
      : head.ChecksumSHA256 === sent.sha256OfParts);
  if (isRight) return;
  await client.send(new DeleteObjectCommand(at), abort);
  throw new TransferMismatch();
}

async function readBack(client: S3Client, at: ObjectPlace, bytes: number, work: Work): Promise<string> {
  const { Body } = await client.send(new GetObjectCommand(at), { abortSignal: work.signal });
  const found = watched(work, BACKUP_STEPS.checkingTransfer, bytes);
  await pipeline(Body as Readable, found.step, drain, work);
  return found.sha256();
}

async function* inParts(source: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  const part = Buffer.alloc(partBytes);
  let filled = 0;
  for await (const chunk of source)
    for (let taken = 0; taken < chunk.length;) {
      const copied = chunk.copy(part, filled, taken);
      taken += copied;
      filled += copied;
      if (filled < partBytes) continue;
      yield part;
      filled = 0;
    }
  if (filled > 0) yield part.subarray(0, filled);
}
