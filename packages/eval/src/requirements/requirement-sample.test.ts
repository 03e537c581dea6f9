import { expect, it } from 'vitest';
import { type SampleStep, type SampleStepName, sampleProgress } from './requirement-sample.ts';

/** `cross-` is a cross review that asks for a revision. */
function progressOf(...names: readonly string[]) {
  return sampleProgress(
    names.map((name): SampleStep => {
      const step = name.replace('-', '') as SampleStepName;
      const verdict = name.endsWith('-') ? 'revise' : 'accept';
      return { schemaVersion: 1, id: name, sample: 's', step, by: 'x', verdict, remarks: '', calls: 1, finishedAt: '' };
    }),
  );
}

it.each([
  [[], 'raw', 'write'],
  [['write'], 'primary', 'refine'],
  [['write', 'refine'], 'refined', 'cross'],
  [['write', 'refine', 'cross-'], 'refined', 'refine'],
  [['write', 'refine', 'cross'], 'reviewed', 'annotator'],
  [['write', 'refine', 'cross-', 'refine', 'cross-', 'refine', 'cross-'], 'reviewed', 'annotator'],
  [['write', 'refine', 'cross', 'annotator-'], 'reviewed', 'expert'],
])('%j is %s, and %s is next', (names, state, next) => {
  expect(progressOf(...names)).toMatchObject({ state, next });
});

it.each([
  ['annotator', 'expert', 'accepted', true],
  ['annotator-', 'expert-', 'deleted', true],
  ['annotator-', 'expert', 'accepted', false],
  ['annotator', 'expert-', 'deleted', false],
])('%s and %s: the word of the expert counts', (annotator, expert, state, agreed) => {
  expect(progressOf('write', 'refine', 'cross', annotator, expert)).toMatchObject({ state, next: undefined, agreed });
});
