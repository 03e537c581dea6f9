import type { SerializedError } from '../errors/askema-error.ts';
import type { ModelResult } from './language-model.ts';

/**
 * One call of a model and how it ended. Plain JSON. It holds the prompt and the answer: keep it where the data may be.
 */
export interface Recording {
  readonly schemaVersion: 1;
  /** {@link requestKey} of the request. */
  readonly key: string;
  readonly provider: string;
  readonly modelId: string;
  /** {@link requestFields} of the request, for the message of a replay that has no answer. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly result?: ModelResult | undefined;
  readonly error?: SerializedError | undefined;
}

/**
 * Where {@link withRecording} keeps recordings, in the order in which the calls ended. `jsonlRecordings` of
 * `@askema/core/node` is a file.
 */
export interface RecordingStore {
  load(): Promise<readonly Recording[]>;
  append(recording: Recording): Promise<void>;
}

/** Recordings in memory: `recordings` is what was there, and what comes. */
export function memoryRecordings(
  initial: readonly Recording[] = [],
): RecordingStore & { readonly recordings: readonly Recording[] } {
  const recordings = [...initial];
  return {
    recordings,
    load: async () => [...recordings],
    append: async (recording) => {
      recordings.push(recording);
    },
  };
}
