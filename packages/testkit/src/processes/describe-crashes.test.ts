import { expect, test } from 'vitest';
import { type CrashHarness, openChecked } from './describe-crashes.ts';

const harness: CrashHarness = {
  open: () => expect.unreachable(),
  processes: (poolSize) => poolSize,
  endless: 'SELECT 1',
  greedy: ['SELECT 1'],
  greedyBytes: 1,
};
const spec = { dialect: {}, executor: {}, close: () => undefined };
const opening = (opened: object) => () =>
  openChecked('x', { ...harness, open: () => opened as never })({ poolSize: 1 });

test('a harness with wrong parts is told at once, with what it has', () => {
  expect(opening({ adapter: spec, pids: () => [], dispose: () => undefined })).toThrow(
    /`open` returns, `spec` must be of type object, and is undefined\. There is: adapter, pids, dispose\./,
  );
  expect(opening({ spec: {}, pids: () => [], dispose: () => undefined })).toThrow(
    /the `spec` that .* `dialect` must be/,
  );
  expect(opening({ spec, pids: [], dispose: () => undefined })).toThrow(
    /`pids` must be of type function, and is object/,
  );
  expect(() => openChecked('x', { ...harness, endless: undefined as never })).toThrow(
    /describeCrashes\('x'\), `endless`/,
  );
  expect(opening({ spec, pids: () => [], dispose: () => undefined })()).toMatchObject({ spec });
});
