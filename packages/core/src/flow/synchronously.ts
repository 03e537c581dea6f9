import { AskemaError } from '../errors/askema-error.ts';
import { isThenable, type Phase, stepError } from './try-exec.ts';

/**
 * Runs what is run again on every resume (`prep`, `post`, and how inner flows are joined): none of it may wait for
 * anything.
 */
export function synchronously(step: string, phase: Exclude<Phase, 'exec'>, work: () => unknown): unknown {
  let value: unknown;
  try {
    value = work();
  } catch (thrown) {
    throw stepError(thrown, step, phase);
  }
  if (!isThenable(value)) return value;
  Promise.resolve(value).catch(() => {});
  const rule = phase === 'prep' || phase === 'post' ? 'prep and post are synchronous' : `${phase} is synchronous`;
  throw new AskemaError(
    'FLOW_INVALID',
    `Step \`${step}\` returned a promise from ${phase}; ${rule}, so do what waits in exec.`,
  );
}
