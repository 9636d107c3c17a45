import { expect, it } from 'vitest';
import { reasonOf } from './embedded.ts';

it("names PostgreSQL's failure from its log", () => {
  const full = [
    '2026-03-10 10:00:00.000 UTC [11] FATAL:  the database system is starting up',
    '2026-03-10 10:00:00.100 UTC [12] FATAL:  could not write to file "pg_wal/xlogtemp.12": No space left on device',
    '2026-03-10 10:00:00.200 UTC [10] LOG:  startup process (PID 12) exited with exit code 1',
    'It exited with 1.',
  ];
  expect(reasonOf(full.join('\n'))).toBe('could not write to file "pg_wal/xlogtemp.12": No space left on device.');
  expect(reasonOf('2026-03-10 10:00:00.000 UTC [11] LOG:  starting\nIt exited with SIGKILL.')).toBe(
    'It exited with SIGKILL.',
  );
});
