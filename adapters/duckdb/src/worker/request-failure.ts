import type { Failure } from '../protocol.ts';
import { failureOf } from './engine-failure.ts';

/** A failure that is not the engine's. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** What a request that threw is answered with. */
export function answerOf(thrown: unknown): Failure {
  return thrown instanceof RequestFailure ? thrown.failure : failureOf(thrown);
}
