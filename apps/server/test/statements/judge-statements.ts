import { afterAll, expect, inject } from 'vitest';
import { roleOf } from '../../src/platform/db/connection/granted-rights.ts';
import { watchOf } from './statement-watch.ts';

const watch = watchOf(roleOf(inject('cluster').serverUrl));

afterAll(() => {
  const why = 'what the server sent is not of one network (CONTRIBUTING.md, Rules)';
  expect(watch.take().join('\n\n'), why).toBe('');
});
