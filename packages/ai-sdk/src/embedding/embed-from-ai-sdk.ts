import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import {
  type CallContext,
  checkWhole,
  type Embedded,
  type EmbeddingModel,
  embedInBatches,
  runCall,
  sdkRequestOptions,
  userMessage,
} from '@askema/core';
import { callSdk } from '../failures/call-sdk.ts';
import { callSite } from '../failures/call-site.ts';
import {
  type AiSdkEmbeddingModel,
  type AiSdkProviderOptions,
  type CommonOptions,
  modelSettings,
} from '../sdk-model.ts';
import { readEmbeddings } from './read-embeddings.ts';

export interface AiSdkEmbeddingOptions extends CommonOptions {
  /**
   * The length of the vectors. Models of AI SDK 6 take it by `providerOptions` only; say it here as well, so that it is
   * checked. Default: the model's own.
   */
  readonly dimensions?: number | undefined;
  /** Texts of one request. Default: as many as the model takes. */
  readonly batchSize?: number | undefined;
  /** Sent with every request. */
  readonly providerOptions?: AiSdkProviderOptions | undefined;
}

/**
 * An embedding model of the AI SDK (versions 6 and 7) as one of Askema. `embed` sends several requests, one after the
 * other, where the texts do not fit into one: at most `batchSize` texts, as many as the model takes, and 100,000
 * characters each. The vectors come in the order of the texts and have one length. An empty text has the zero vector,
 * which is like nothing. It never retries: wrap it in `withEmbeddingRetry`.
 *
 * Throws `CONFIG_INVALID` for what is no such model, a time limit that is no time, and invalid `dimensions` or
 * `batchSize`. `embed` rejects with `MODEL_OUTPUT_INVALID` (a vector is missing, is no vector, or has another length),
 * and as `fromAiSdk` does.
 */
export function embedFromAiSdk(model: AiSdkEmbeddingModel, options: AiSdkEmbeddingOptions = {}): EmbeddingModel {
  const settings = modelSettings(model, 'embedding', options);
  const dimensions = options.dimensions === undefined ? undefined : checkWhole('dimensions', options.dimensions);
  const batchSize = options.batchSize === undefined ? undefined : checkWhole('batchSize', options.batchSize);
  const name = `${settings.provider}:${settings.model}`;
  const site = callSite(settings);
  const sdk = model as unknown as EmbeddingModelV4;
  type Options = Parameters<EmbeddingModelV4['doEmbed']>[0];
  const providerOptions = options.providerOptions as Options['providerOptions'];
  const shape = {
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };

  const embedBatch = (given: readonly string[], context: CallContext): Promise<Embedded> => {
    const values = [...given];
    // What the key of the request is made from.
    const request = { messages: [userMessage(JSON.stringify({ values, ...shape }))], sample: 0, context };
    return runCall(site, request, async (abortSignal) => {
      const { headers } = sdkRequestOptions(settings, request, abortSignal);
      const answer = await callSdk(() => sdk.doEmbed({ values, ...shape, headers, abortSignal }), abortSignal);
      return readEmbeddings(answer, { name, texts: values.length, dimensions });
    });
  };

  return {
    provider: settings.provider,
    modelId: settings.model,
    dimensions,
    async embed(texts, context) {
      const most = (await sdk.maxEmbeddingsPerCall) ?? Number.POSITIVE_INFINITY;
      const embed = (batch: readonly string[]) => embedBatch(batch, context);
      return embedInBatches(texts, { name, batchSize: Math.min(batchSize ?? most, most), embed });
    },
  };
}
