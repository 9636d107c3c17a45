import { fault, ok, warning } from './findings.ts';
import type { Finding } from './findings.ts';

/** The oldest that the server runs on. */
const LEAST = 24;
/** When versions of Node get their last fixes, as its project has said. */
const ENDS: Readonly<Record<number, string>> = { 24: '2028-04-30', 26: '2029-04-30' };

/** Whether the Node that this runs on is one that the product runs on and that still gets fixes. */
export function checkNode(version: string, now: Date): Finding[] {
  const major = Number(version.split('.')[0]);
  if (major < LEAST)
    return [
      fault(
        'node',
        `This is Node ${version}.`,
        `Drawhouse runs on Node ${LEAST} or later. Start everything by npm run, which brings it.`,
      ),
    ];
  const end = ENDS[major];
  if (end !== undefined && new Date(end) < now)
    return [
      warning('node', `Node ${version} gets no fixes any more since ${end}.`, 'Take a newer version of Drawhouse.'),
    ];
  return [ok('node', `Node ${version} on ${process.platform} ${process.arch}.`)];
}
