import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';

const ROOT = resolve(import.meta.dirname, '../../../../..');
const EXAMPLE = /```sh\naskema (eval design score packages\/[^\n]+)\n```\n\n```text\n([^`]+)```/g;

it('prints what the guide shows', async () => {
  const guide = readFileSync(resolve(ROOT, 'docs/guide/evaluate-schemas.md'), 'utf8');
  const examples = [...guide.matchAll(EXAMPLE)];
  expect(examples).toHaveLength(1);
  for (const [, command = '', shown] of examples) {
    const { code, stdout } = await runInProcess(command.split(' '), { cwd: ROOT });
    expect({ code, stdout }).toEqual({ code: 0, stdout: shown });
  }
});
