import { describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import { systemRuntime } from '../ports/system-runtime.ts';
import { memoryCallStore } from './call-store.ts';
import { memoryJournal } from './memory-journal.ts';
import { Recorder } from './recorder.ts';

const stores = [
  ['in memory', async () => memoryCallStore()],
  ['in a journal', async () => new Recorder([], systemRuntime().clock, await memoryJournal().open('r'))],
] as const;

describe.each(stores)('a call store %s', (_where, make) => {
  it('forgets what is below a renewed path, and nothing beside it', async () => {
    const store = await make();
    const paths = ['s#1/x#1', 's#1/x#1/y#1', 's#1/x#10', 's#1/x#10/y#1', 's#10/x#1'];
    for (const path of paths) await store.recordCall(path, path);
    await store.recordFailure('s#1/x#1', new AskemaError('INTERNAL', 'no'), true);
    expect(paths.filter((path) => store.call(path) === undefined)).toEqual(['s#1/x#1/y#1']);
    expect([store.renewals('s#1/x#1'), store.renewals('s#1')]).toEqual([1, 0]);
    await store.recordFailure('s#1', new AskemaError('INTERNAL', 'no'), false);
    expect(store.call('s#1/x#1')?.value()).toBe('s#1/x#1');
    await store.recordFailure('s#1', new AskemaError('INTERNAL', 'no'), true);
    expect(paths.filter((path) => store.call(path) !== undefined)).toEqual(['s#10/x#1']);
  });
});
