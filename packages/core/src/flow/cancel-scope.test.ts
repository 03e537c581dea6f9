import { describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import { CancelScope } from './cancel-scope.ts';

const error = new AskemaError('ABORTED', 'stopped');

describe('CancelScope', () => {
  it('takes its children with it, those that listen and those that do not', () => {
    const parent = new CancelScope();
    const listening = new CancelScope(parent);
    const { signal } = listening;
    const silent = new CancelScope(new CancelScope(parent));
    parent.cancel(error);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBe(error);
    expect(silent.error).toBe(error);
    expect(silent.signal.reason).toBe(error);
  });

  it('leaves its parent alone, and the first reason stands', () => {
    const parent = new CancelScope();
    const child = new CancelScope(parent);
    child.cancel(error);
    child.cancel(new AskemaError('ABORTED', 'again'));
    expect(parent.error).toBeUndefined();
    expect(child.error).toBe(error);
  });

  it('ends a guarded wait at once, and before it began', async () => {
    const scope = new CancelScope();
    const waiting = scope.guard(new Promise(() => {}));
    scope.cancel(error);
    await expect(waiting).rejects.toBe(error);
    await expect(scope.guard(Promise.resolve(1))).rejects.toBe(error);
    await expect(scope.guard(Promise.reject(new Error('late')))).rejects.toBe(error);
  });

  it('does not make an error when nobody took its signal', () => {
    const parent = new CancelScope();
    let made = 0;
    const makeError = (): AskemaError => {
      made += 1;
      return error;
    };
    new CancelScope(parent).abandon(makeError);
    expect(made).toBe(0);
    const used = new CancelScope(parent);
    const { signal } = used;
    used.abandon(makeError);
    expect([made, signal.aborted]).toEqual([1, true]);
  });

  it('no longer hears its parent when it is closed', () => {
    const parent = new CancelScope();
    const child = new CancelScope(parent);
    const { signal } = child;
    child.close();
    parent.cancel(error);
    expect(signal.aborted).toBe(false);
  });
});
