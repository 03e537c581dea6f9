import { raceSignal, VendorFailureError } from '@askema/core';
import { readSdkError } from './read-sdk-error.ts';

/**
 * What the SDK gives, or the failure that it reports. It ends with the signal: not every provider listens to it.
 */
export async function callSdk<T>(work: () => PromiseLike<T>, signal: AbortSignal): Promise<T> {
  try {
    return await raceSignal(Promise.resolve(work()), signal);
  } catch (error) {
    throw sdkFailure(error);
  }
}

/** What is thrown for an error of the SDK: a vendor's failure where it reports one, else the error itself. */
export function sdkFailure(error: unknown): unknown {
  const failure = readSdkError(error);
  return failure === undefined ? error : new VendorFailureError(failure);
}
