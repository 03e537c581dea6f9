import { checkServerSettings, type JsonValue } from '@askema/core';
import { checkSdkModel, type SdkModelKind } from './check-sdk-model.ts';

/** What is used of a language model of the AI SDK; `openai('gpt-5-mini')` of `@ai-sdk/openai` is one. */
export interface AiSdkLanguageModel extends AiSdkModelName {
  /** It is not read. Models of speech have the same methods, but not this. */
  readonly supportedUrls: unknown;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}

/** What is used of an embedding model of the AI SDK. */
export interface AiSdkEmbeddingModel extends AiSdkModelName {
  doEmbed(options: never): PromiseLike<unknown>;
}

interface AiSdkModelName {
  /** Of the SDK's specification: AI SDK 6 has `v3`, AI SDK 7 has `v4`. */
  readonly specificationVersion: 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
}

/** Settings for providers of the AI SDK, by the name that each looks for: `{ openai: { store: false } }`. */
export type AiSdkProviderOptions = Readonly<Record<string, { readonly [key: string]: JsonValue }>>;

/** What the options of every model have. */
export interface CommonOptions {
  /** The name in traces, prices and errors. Default: the SDK's, up to its first dot (`openai` of `openai.responses`). */
  readonly provider?: string | undefined;
  /** The whole call, in milliseconds. Default: ten minutes. */
  readonly timeoutMs?: number | undefined;
}

/** A model's own names, with every default filled in. */
export interface ModelSettings {
  readonly provider: string;
  readonly model: string;
  readonly timeoutMs: number;
  /**
   * Marks what only this model's API understands. The SDK's name is kept whole: two APIs of one vendor do not understand
   * each other.
   */
  readonly mark: string;
}

const TEN_MINUTES_MS = 600_000;

/** Fills in the defaults. Throws `CONFIG_INVALID` for what is no such model, and for a time limit that is no time. */
export function modelSettings(model: AiSdkModelName, kind: SdkModelKind, options: CommonOptions): ModelSettings {
  checkSdkModel(model, kind);
  const mark = `ai-sdk:${model.provider}`;
  const timeoutMs = options.timeoutMs ?? TEN_MINUTES_MS;
  // The server is the SDK's affair; only model and time are ours to check.
  checkServerSettings({ model: model.modelId, url: 'http://127.0.0.1', timeoutMs }, '');
  const provider = options.provider ?? model.provider.split('.')[0] ?? '';
  return { provider, model: model.modelId, timeoutMs, mark };
}
