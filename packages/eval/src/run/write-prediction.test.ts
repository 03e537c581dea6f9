import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AskemaError, type Outcome } from '@askema/core';
import { expect, it, onTestFinished } from 'vitest';
import { answered, outcomeBase } from './fixtures/table-adapter.ts';
import { runOptions, writtenDataset } from './fixtures/written-dataset.ts';
import { runEvaluation } from './run-evaluation.ts';

function folder(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'askema-predictions-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

it('keeps each answer whole, also one that was cut for display, and none of what was not answered', async () => {
  const root = folder();
  const data = await writtenDataset(root, 4);
  const answerFolder = path.join(root, 'deep/predictions');
  const error = new AskemaError('MODEL_OUTPUT_INVALID', 'no').toJSON();
  let isBroken = false;
  const ask = (question: string): Outcome => {
    if (question === 'question 1') return answered(question, 'names', [['Ann']], { truncated: 'rows' });
    if (question === 'question 2') return { ...outcomeBase(question), type: 'failed', error, sql: 'ones' };
    if (question === 'question 3' || isBroken) throw new Error('down');
    return answered(question, '', [[1, null, 'x,y']]);
  };
  const options = runOptions(data, { ask, answerFolder });
  await runEvaluation(options);
  expect(readdirSync(answerFolder)).toEqual(['q0.csv', 'q1.csv', 'q1.sql']);
  expect(readFileSync(path.join(answerFolder, 'q0.csv'), 'utf8')).toBe('c0,c1,c2\n1,,"x,y"\n');
  expect(readFileSync(path.join(answerFolder, 'q1.csv'), 'utf8')).toBe('c0\nAnn\nBob\n');
  expect(readFileSync(path.join(answerFolder, 'q1.sql'), 'utf8')).toBe('names\n');
  // What is asked again and not answered leaves nothing of before.
  isBroken = true;
  await runEvaluation({ ...options, out: path.join(root, 'again'), ids: ['q0'] });
  expect(readdirSync(answerFolder)).toEqual(['q1.csv', 'q1.sql']);
});

it('asks nothing where the answers could not be written', async () => {
  const root = folder();
  const asked: string[] = [];
  const named = await writtenDataset(root, 2, [{}, { id: '../q1' }]);
  await expect(runEvaluation(runOptions(named, { asked, answerFolder: path.join(root, 'p') }))).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringMatching(/Line 2: .*"\.\.\/q1" cannot be a name: it has a slash/),
  });
  writeFileSync(path.join(root, 'file'), '');
  const data = await writtenDataset(root, 1);
  await expect(runEvaluation(runOptions(data, { asked, answerFolder: path.join(root, 'file') }))).rejects.toMatchObject(
    {
      code: 'INPUT_INVALID',
      message: expect.stringContaining('Predictions cannot be written to'),
    },
  );
  expect([asked, existsSync(path.join(root, 'out'))]).toEqual([[], false]);
});
