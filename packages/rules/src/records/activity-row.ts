import { canonicalJson } from '../canonical-json.ts';

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

/** Hashed after the previous row's hash: canonical JSON in UTF-8. */
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
