import { createHash } from 'node:crypto';
import { MAX_TIMER_MS } from '../../errors/check-option.ts';
import type { LanguageModel, ModelRequest } from '../language-model.ts';
import { requestKey } from '../request-key.ts';

/**
 * What a vendor's SDK is told of one call: it does not retry, and its own timer comes later than ours. The
 * `Idempotency-Key` lets a gateway, or a vendor, tell that a paid request is sent again: retries have it in common, and
 * so has the same call of a run that another process takes up.
 */
export function sdkRequestOptions(
  { provider, model, timeoutMs }: { readonly provider: string; readonly model: string; readonly timeoutMs: number },
  request: ModelRequest,
  signal: AbortSignal,
) {
  const headers = { 'Idempotency-Key': idempotencyKey({ provider, modelId: model }, request) };
  // No longer than a timer can wait.
  return { signal, headers, maxRetries: 0, timeout: Math.ceil(Math.min(timeoutMs + 60_000, MAX_TIMER_MS)) };
}

/**
 * 64 hexadecimal digits over the context's `idempotencyKey` and all that the answer depends on; nothing can be read
 * from them. The name of the header is that of draft-ietf-httpapi-idempotency-key-header; servers that do not know it
 * leave it alone.
 */
function idempotencyKey(model: Pick<LanguageModel, 'provider' | 'modelId'>, request: ModelRequest): string {
  return createHash('sha256')
    .update(`${request.context.idempotencyKey}\n${requestKey(model, request)}`)
    .digest('hex');
}
