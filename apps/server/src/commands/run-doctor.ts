import { parseArgs } from 'node:util';
import { systemClock } from '../platform/time/clock.ts';
import { runCommandLine } from './command-line.ts';
import { environment } from '../config/config.ts';
import { examine } from '../operations/doctor/examine.ts';
import { findingText } from '../operations/doctor/findings.ts';
import { withSurroundings } from '../operations/doctor/surroundings.ts';

const USAGE = `Usage: npm run doctor -- [--json]

  Checks the settings, PostgreSQL, the roles, the disks, the clock, the migrations, the keys, the seals, the last audit
  and backups, the ports, and the other cells of a group, and says how to fix each problem. It changes nothing; works
  beside a running server or without one.

  --json     the same for programs: {"ok": false, "findings": [{"of", "state": "ok" | "warning" | "fault", "says", "todo", "about"}]}

Run it as the server's user and with the server's settings: it only sees what that user sees.
Exit codes: 0 no faults, 1 faults, 2 wrong usage.`;

function readDoctorWish(args: readonly string[]): { readonly asJson: boolean } {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean' } },
  });
  return { asJson: values.json === true };
}

async function run({ asJson }: { readonly asJson: boolean }): Promise<number> {
  const findings = await withSurroundings(environment(), systemClock, examine);
  const count = (state: string): number => findings.filter((finding) => finding.state === state).length;
  const faults = count('fault');
  if (asJson) console.log(JSON.stringify({ ok: faults === 0, findings }, undefined, 2));
  else {
    console.log(findings.map(findingText).join('\n'));
    console.log(`${count('ok')} ok, ${count('warning')} warnings, ${faults} errors`);
  }
  return faults > 0 ? 1 : 0;
}

if (import.meta.main) await runCommandLine({ usage: USAGE, read: readDoctorWish, run });
