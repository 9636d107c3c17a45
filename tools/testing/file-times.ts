import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from '../run.ts';
import type { TestFile } from './test-reports.ts';

export const FILE_TIMES = path.join(root, '.cache', 'reports', 'vitest-files.json');

/** Includes hooks. The JSON report starts a file at its first test, after `beforeAll`. */
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
