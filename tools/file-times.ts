import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from './run.ts';
import type { TestFile } from './test-reports.ts';

/** The report, beside Vitest's JSON report. */
export const FILE_TIMES = path.join(root, '.cache', 'reports', 'vitest-files.json');

/** Vitest reporter: when each file ran, hooks included. The JSON report begins at a file's first test, after `beforeAll`. */
export default class FileTimes implements Reporter {
  readonly #files: TestFile[] = [];

  onTestModuleEnd(module: TestModule): void {
    const endMs = Date.now();
    this.#files.push({ path: module.relativeModuleId, startMs: endMs - module.diagnostic().duration, endMs });
  }

  onTestRunEnd(): void {
    writeFileSync(FILE_TIMES, JSON.stringify(this.#files));
  }
}
