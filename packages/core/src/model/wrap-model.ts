import { throwOnContractMismatch } from '../errors/check-contract.ts';
import type { LanguageModel, ModelRequest, ModelResult, StreamEvent } from './language-model.ts';

/** What a wrapper does around the two methods of a model. */
export interface ModelWrapping {
  readonly generate: (request: ModelRequest) => Promise<ModelResult>;
  /** Only called when the inner model streams. */
  readonly stream: (request: ModelRequest, inner: NonNullable<LanguageModel['stream']>) => AsyncIterable<StreamEvent>;
}

/**
 * A model around another one: provider, model id and capabilities stay, and it streams exactly when the inner one does.
 * The frame of every wrapper here, and of wrappers of one's own.
 *
 * @throws AskemaError `CONTRACT_MISMATCH` for a model that speaks another version of the contract.
 */
export function wrapModel(model: LanguageModel, wrapping: ModelWrapping): LanguageModel {
  throwOnContractMismatch(model.contract, `The model \`${modelName(model)}\``);
  const inner = model.stream === undefined ? undefined : streamOf(model);
  return {
    contract: 1,
    provider: model.provider,
    modelId: model.modelId,
    capabilities: model.capabilities,
    generate: wrapping.generate,
    ...(inner === undefined ? {} : { stream: (request: ModelRequest) => wrapping.stream(request, inner) }),
  };
}

/** `provider:modelId`, as it stands in messages, warnings and `solvedBy`. */
export function modelName(model: Pick<LanguageModel, 'provider' | 'modelId'>): string {
  return `${model.provider}:${model.modelId}`;
}

/** The stream of a model; of one that does not stream, its whole result at once. */
export function streamOf(model: LanguageModel): NonNullable<LanguageModel['stream']> {
  return (request) => model.stream?.(request) ?? streamWhole(model.generate(request));
}

async function* streamWhole(pending: Promise<ModelResult>): AsyncGenerator<StreamEvent> {
  yield* streamOfResult(await pending);
}

/** A result that is already there as a stream: each text at once, each part, and `finish`. */
export function* streamOfResult(result: ModelResult): Generator<StreamEvent> {
  for (const part of result.content) {
    if (part.type === 'text' || part.type === 'reasoning') yield { type: `${part.type}-delta`, text: part.text };
    yield { type: 'part', part };
  }
  yield { type: 'finish', result };
}
