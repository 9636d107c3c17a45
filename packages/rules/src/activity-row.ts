import { canonicalJson } from './canonical-json.ts';

/** A row of the log as its hash covers it. */
export interface ActivityRow {
  seq: bigint;
  id: string;
  at: Date;
  account_id: string | null;
  username: string;
  subject: string;
  url: string;
  method: string;
  ip: string;
  detail: Record<string, unknown> | null;
}

/** What the hash of a row covers, after the hash of the row before: UTF-8 of canonical JSON. */
export function activityText(row: ActivityRow): string {
  return canonicalJson([
    String(row.seq),
    row.id,
    row.at.toISOString(),
    row.account_id,
    row.username,
    row.subject,
    row.url,
    row.method,
    row.ip,
    row.detail,
  ]);
}
