// Writes test data for go-vectors.go: node write-vectors.ts FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeVectors, type LogVectors } from './log-vectors.ts';

const folder = process.argv[2]!;
const inputs = JSON.parse(readFileSync(new URL('log-vectors.json', import.meta.url), 'utf8')) as LogVectors;
const { vectors, files } = await makeVectors(inputs);
for (const [name, bytes] of [...files, ['vectors.json', JSON.stringify(vectors, null, 2)] as const]) {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), bytes);
}
