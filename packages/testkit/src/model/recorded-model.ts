import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  AskemaError,
  isAskemaError,
  type LanguageModel,
  type ModelCapabilities,
  type ModelRequest,
  type ModelResult,
  memoryRecordings,
  type StreamEvent,
  textOf,
  throwIfAborted,
  withRecording,
} from '@askema/core';
import { jsonlRecordings } from '@askema/core/node';
import { streamResult } from './stream-result.ts';

export interface RecordedModelOptions {
  /** Asked for what the file does not hold, and its answers are appended to the file. Without it nothing is asked. */
  readonly record?: LanguageModel | undefined;
  /** Default: those of `record`, else structured output and tools. */
  readonly capabilities?: ModelCapabilities | undefined;
}

export interface RecordedModel extends LanguageModel {
  /** Every request so far, in order; message lists as they were at the time of the call. */
  readonly requests: readonly ModelRequest[];
  stream(request: ModelRequest): AsyncIterable<StreamEvent>;
}

/**
 * A model that answers from a file of recordings (`jsonlRecordings` of @askema/core/node, one JSON object a line), as
 * the model that was recorded: the same answers, errors and usage. A request that the file does not hold rejects with
 * `RECORDING_MISSING`, which quotes the prompt, says how the nearest recording differs and how to record.
 *
 * @throws AskemaError `INPUT_INVALID` for a file whose first line is no recording.
 */
export function recordedModel(file: string | URL, options: RecordedModelOptions = {}): RecordedModel {
  const path = file instanceof URL ? fileURLToPath(file) : file;
  const { record } = options;
  const { provider, modelId } = record ?? identityOf(path);
  const requests: ModelRequest[] = [];
  const store = jsonlRecordings({ file: path });
  const capabilities = options.capabilities ?? record?.capabilities ?? { structuredOutput: true, tools: true };
  const identity = { contract: 1, provider, modelId, capabilities, generate: () => Promise.reject(unasked()) } as const;
  let replaying: Promise<LanguageModel> | undefined;

  const load = async (): Promise<LanguageModel> => {
    const recordings = await store.load().catch((error: unknown) => {
      if (isAskemaError(error) && error.code === 'RECORDING_MISSING') return [];
      throw error;
    });
    return withRecording(identity, { mode: 'replay', store: memoryRecordings(recordings) });
  };

  async function generate(request: ModelRequest): Promise<ModelResult> {
    requests.push({ ...request, messages: [...request.messages] });
    throwIfAborted(request.context.signal, 'The recorded model');
    replaying ??= load();
    try {
      return await (await replaying).generate(request);
    } catch (error) {
      if (!isAskemaError(error) || error.code !== 'RECORDING_MISSING') throw error;
      if (record === undefined) throw howToRecord(error, path, request);
      return withRecording(record, { mode: 'record', store }).generate(request);
    }
  }

  return {
    contract: 1,
    provider,
    modelId,
    capabilities,
    requests,
    generate,
    async *stream(request) {
      yield* streamResult(await generate(request));
    },
  };
}

/** Whose answers the file holds; a file that is not there is reported by the first call. */
function identityOf(path: string): { readonly provider: string; readonly modelId: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { provider: 'recorded', modelId: 'recorded' };
  }
  const line = text.split('\n', 1)[0] ?? '';
  if (line === '') return { provider: 'recorded', modelId: 'recorded' };
  try {
    const { provider, modelId } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (typeof provider === 'string' && typeof modelId === 'string') return { provider, modelId };
  } catch {
    // Told below.
  }
  throw new AskemaError(
    'INPUT_INVALID',
    `${path}, line 1 is no recording of a model. Record anew: \`recordedModel(file, { record: model })\`.`,
  );
}

function howToRecord(error: AskemaError, path: string, request: ModelRequest): AskemaError {
  const last = request.messages.at(-1);
  const text = last === undefined ? 'no message' : textOf(last.content);
  const excerpt = text.length <= 300 ? text : `${text.slice(0, 300)}…`;
  return new AskemaError(
    'RECORDING_MISSING',
    `${error.message} Not in ${path}: to record it, run once with \`recordedModel(file, { record: model })\`, where \`model\` is a real one. Last message (${last?.role ?? 'none'}): ${excerpt}`,
    { details: error.details, cause: error },
  );
}

function unasked(): Error {
  return new Error('A replay asks no model.');
}
